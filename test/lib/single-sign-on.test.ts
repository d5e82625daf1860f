import { describe, expect, it } from "vitest";
import { readConfig } from "../../lib/config.ts";
import type { Context } from "../../lib/context.ts";
import { valueAt, type Resource, resourcesOf } from "./support.ts";

const oidc = { singleSignOn: "only", ssoIssuer: "https://login.example.com/tenant/v2.0", ssoClientId: "0a1b-2c3d" };
const saml = { singleSignOn: "only", ssoMetadataUrl: "https://login.example.com/metadata.xml?appid=1" };

const readPool = (context: Context) => {
  const of = resourcesOf({ stage: "prod", domainName: "a.example.com", hostedZoneId: "Z0123456789ABC", ...context });
  const clients = of("AWS::Cognito::UserPoolClient").map(([, client]) => client);
  const isConsole = (client: Resource) => valueAt(client, "CallbackURLs") !== undefined;
  const [[, pool]] = of("AWS::Cognito::UserPool") as [[string, Resource]];
  const site = of("AWS::Lambda::Function").find(
    ([, one]) => valueAt(one, "Environment.Variables.SIGN_IN_URL") !== undefined,
  );
  return {
    pool,
    providers: of("AWS::Cognito::UserPoolIdentityProvider"),
    console: clients.find(isConsole) as Resource & { DependsOn?: string[] },
    apps: clients.find((client) => !isConsole(client)),
    site: site?.[1],
  };
};

describe("single sign-on", () => {
  it("by OpenID Connect reads the operator's secret by its name, and copies each name, each address, and whether the address is verified", () => {
    const { providers } = readPool(oidc);

    expect(providers.map(([, { Properties }]) => Properties)).toMatchObject([
      {
        ProviderName: "SingleSignOn",
        ProviderType: "OIDC",
        ProviderDetails: {
          oidc_issuer: "https://login.example.com/tenant/v2.0",
          client_id: "0a1b-2c3d",
          client_secret: "{{resolve:secretsmanager:event-alerting/prod/single-sign-on:SecretString:::}}",
          authorize_scopes: "openid email profile",
        },
        AttributeMapping: { email: "email", email_verified: "email_verified", name: "name" },
      },
    ]);
  });

  it("by SAML reads the provider's metadata at the URL in the settings", () => {
    expect(readPool(saml).providers.map(([, { Properties }]) => Properties)).toMatchObject([
      {
        ProviderName: "SingleSignOn",
        ProviderType: "SAML",
        ProviderDetails: { MetadataURL: saml.ssoMetadataUrl, IDPSignout: false },
        AttributeMapping: { email: "email", email_verified: "email_verified", name: "name" },
      },
    ]);
  });

  it.each([
    ["oidc", oidc],
    ["saml", saml],
  ])("by %s as the only way to sign in skips the pool's pages, and accepts no password", (_, context) => {
    const { console, apps, site, providers } = readPool(context);

    expect(valueAt(console, "SupportedIdentityProviders")).toEqual(["SingleSignOn"]);
    expect(valueAt(console, "ExplicitAuthFlows")).toEqual(["ALLOW_REFRESH_TOKEN_AUTH"]);
    expect(valueAt(apps, "ExplicitAuthFlows")).toEqual(["ALLOW_ADMIN_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"]);
    expect(valueAt(site, "Environment.Variables.SIGN_IN_PROVIDER")).toBe("SingleSignOn");
    // Cognito refuses a client that names a provider which does not exist yet.
    expect(console.DependsOn).toEqual([providers[0]?.[0]]);
  });

  it("together with passwords lets people choose between the provider and a password", () => {
    const { console, apps, site } = readPool({ ...oidc, singleSignOn: "beside" });

    expect(valueAt(console, "SupportedIdentityProviders")).toEqual(["COGNITO", "SingleSignOn"]);
    expect(valueAt(apps, "ExplicitAuthFlows")).toContain("ALLOW_USER_SRP_AUTH");
    expect(valueAt(site, "Environment.Variables.SIGN_IN_PROVIDER")).toBeUndefined();
  });

  it.each([
    ["12 hours by default", oidc, 720],
    ["2 hours if the setting ssoSessionHours is 2", { ...oidc, ssoSessionHours: 2 }, 120],
  ])("requires a new sign-in after %s, even if the session is renewed", (_, context, minutes) => {
    const { console } = readPool(context);

    expect([valueAt(console, "RefreshTokenValidity"), valueAt(console, "TokenValidityUnits.RefreshToken")]).toEqual([
      minutes,
      "minutes",
    ]);
    expect(valueAt(console, "RefreshTokenRotation")).toBeUndefined();
  });

  it("lets the console's client write the attributes that the provider supplies, and uses a new address after it is verified", () => {
    const { console, apps, pool } = readPool(oidc);

    expect(valueAt(console, "WriteAttributes")).toEqual(["email", "name"]);
    expect(valueAt(apps, "WriteAttributes")).toEqual(["name"]);
    expect(valueAt(pool, "UserAttributeUpdateSettings")).toEqual({
      AttributesRequireVerificationBeforeUpdate: ["email"],
    });
  });

  it("leaves nothing in the template if it is off", () => {
    const { console, providers, pool } = readPool({});

    expect(providers).toEqual([]);
    expect(valueAt(console, "SupportedIdentityProviders")).toEqual(["COGNITO"]);
    expect(valueAt(console, "RefreshTokenRotation.Feature")).toBe("ENABLED");
    expect(valueAt(console, "WriteAttributes")).toEqual(["name"]);
    expect(valueAt(pool, "UserAttributeUpdateSettings")).toBeUndefined();
  });
});

describe("the settings of single sign-on", () => {
  it("are a protocol, a provider, and the duration of a session", () => {
    expect(readConfig(oidc).singleSignOn).toEqual({
      kind: "oidc",
      issuer: "https://login.example.com/tenant/v2.0",
      clientId: "0a1b-2c3d",
      mode: "only",
      sessionHours: 12,
    });
    // Tokens name the issuer without a slash at the end.
    expect(readConfig({ ...oidc, ssoIssuer: `${oidc.ssoIssuer}/` })).toEqual(readConfig(oidc));
    expect(readConfig({ ...saml, singleSignOn: "beside", ssoSessionHours: "8" }).singleSignOn).toEqual({
      kind: "saml",
      metadataUrl: saml.ssoMetadataUrl,
      mode: "beside",
      sessionHours: 8,
    });
  });

  it.each([
    [
      "there is a provider, but single sign-on is off",
      { ssoIssuer: oidc.ssoIssuer },
      'The setting "singleSignOn" must be set along with "ssoIssuer"',
    ],
    ["the mode is unknown", { singleSignOn: "yes" }, 'The setting "singleSignOn" must be "beside" or "only"'],
    [
      "there is no provider",
      { singleSignOn: "only" },
      'The setting "ssoIssuer" must be set along with "singleSignOn", or "ssoMetadataUrl"',
    ],
    [
      "an OIDC provider has no client id",
      { singleSignOn: "only", ssoIssuer: oidc.ssoIssuer },
      'The setting "ssoClientId" must be set along with "ssoIssuer"',
    ],
    [
      "there are two providers",
      { ...oidc, ...saml },
      'The setting "ssoMetadataUrl" must be set without "ssoIssuer" and "ssoClientId"',
    ],
    [
      "the provider's address begins with http:",
      { ...oidc, ssoIssuer: "http://login.example.com" },
      'The setting "ssoIssuer" must be an https address',
    ],
    [
      "the provider's address has a port other than 443",
      { ...oidc, ssoIssuer: "https://login.example.com:8443" },
      "on port 443, because Cognito calls no other",
    ],
    [
      "a session lasts 0 hours",
      { ...oidc, ssoSessionHours: 0 },
      'The setting "ssoSessionHours" must be a whole number from 1 to 720',
    ],
  ])("are refused with the reason if %s", (_, context, message) => {
    expect(() => readConfig(context)).toThrow(message);
  });
});
