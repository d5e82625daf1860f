import { describe, expect, it } from "vitest";
import { readModel } from "../../../local/template/model.ts";
import { parseTemplate, TemplateError } from "../../../local/template/resolve.ts";
import { aTemplate } from "./a-template.ts";

const urls = { queues: "http://127.0.0.1:4000", api: "http://127.0.0.1:3000", signIn: "http://127.0.0.1:5000" };
const scope = { "Fn::Join": ["", [{ Ref: "Server" }, "/member"]] };

const readClients = (change: object = {}) => {
  const template = aTemplate();
  Object.assign(template.Resources, {
    Server: {
      Type: "AWS::Cognito::UserPoolResourceServer",
      Properties: {
        UserPoolId: { Ref: "UserPool" },
        Identifier: "event-alerting",
        Name: "Machines",
        Scopes: [{ ScopeName: "member", ScopeDescription: "Be a member" }],
      },
    },
    Machine: {
      Type: "AWS::Cognito::UserPoolClient",
      Properties: {
        UserPoolId: { Ref: "UserPool" },
        ClientName: "machine-ci",
        AllowedOAuthFlowsUserPoolClient: true,
        AllowedOAuthFlows: ["client_credentials"],
        AllowedOAuthScopes: [scope],
        GenerateSecret: true,
        AccessTokenValidity: 30,
        ...change,
      },
    },
  });
  return readModel(parseTemplate(template), urls);
};

describe("an app client in the local template", () => {
  it("with a secret is a machine, and people cannot sign in with it", () => {
    const { machines, signIn } = readClients();

    expect(machines).toEqual([
      {
        name: "ci",
        id: "Machine",
        issuer: "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_UserPool",
        scopes: ["event-alerting/member"],
        accessTokenMs: 1_800_000,
      },
    ]);
    expect(signIn).toEqual([]);
  });

  it.each([
    ["without a secret", { GenerateSecret: false }, "cannot be selected if the client does not have a secret"],
    [
      "without a secret and with another OAuth flow",
      { AllowedOAuthFlows: ["code", "client_credentials"], GenerateSecret: false },
      "along with another flow",
    ],
    ["with a person's scope", { AllowedOAuthScopes: ["openid"] }, "takes scopes of a resource server only, not openid"],
    [
      "with an unknown scope of the resource server",
      { AllowedOAuthScopes: ["event-alerting/owner"] },
      "not event-alerting/owner",
    ],
    ["without scopes", { AllowedOAuthScopes: [] }, "needs a scope"],
    [
      "with an unsupported OAuth flow",
      { AllowedOAuthFlows: ["implicit"] },
      "only the OAuth flows code and client_credentials are supported here",
    ],
    [
      "with a secret and the OAuth flow of pages",
      { AllowedOAuthFlows: ["code"] },
      "a client with a secret, which a page cannot keep",
    ],
  ])("%s is refused", (_, change, message) => {
    expect(() => readClients(change)).toThrow(TemplateError);
    expect(() => readClients(change)).toThrow(message);
  });
});

const secretName = "event-alerting/dev/single-sign-on";
const readElsewhere = (change: object = {}, console: object = {}, secretOf = (name: string) => `of ${name}`) => {
  const template = aTemplate();
  const { details = {}, ...more } = change as { details?: object };
  Object.assign(template.Resources, {
    Provider: {
      Type: "AWS::Cognito::UserPoolIdentityProvider",
      Properties: {
        UserPoolId: { Ref: "UserPool" },
        ProviderName: "SingleSignOn",
        ProviderType: "OIDC",
        ProviderDetails: {
          client_id: "event-alerting",
          client_secret: `{{resolve:secretsmanager:${secretName}:SecretString:::}}`,
          authorize_scopes: "openid email",
          attributes_request_method: "GET",
          oidc_issuer: "https://login.example.com/tenant",
          ...details,
        },
        AttributeMapping: { email: "email" },
        ...more,
      },
    },
    Console: {
      Type: "AWS::Cognito::UserPoolClient",
      Properties: {
        UserPoolId: { Ref: "UserPool" },
        AllowedOAuthFlowsUserPoolClient: true,
        AllowedOAuthFlows: ["code"],
        SupportedIdentityProviders: [{ Ref: "Provider" }],
        WriteAttributes: ["email"],
        ...console,
      },
    },
  });
  return readModel(parseTemplate(template), urls, secretOf);
};

describe("an identity provider in the local template", () => {
  it("has its client secret from Secrets Manager, and is offered by the client that names the provider", () => {
    const { provider, signIn } = readElsewhere();

    expect(provider).toEqual({
      name: "SingleSignOn",
      issuer: "https://login.example.com/tenant",
      clientId: "event-alerting",
      clientSecret: `of ${secretName}`,
      scopes: "openid email",
      method: "GET",
      mapping: { email: "email" },
    });
    expect(signIn).toMatchObject([{ id: "Console", providers: ["SingleSignOn"], writes: ["email"] }]);
  });

  it.each([
    [
      "if its issuer's URL begins with http:",
      { details: { oidc_issuer: "http://login.example.com" } },
      {},
      "Cognito takes an issuer by https",
    ],
    [
      "if its issuer's URL ends with a slash",
      { details: { oidc_issuer: "https://login.example.com/" } },
      {},
      "without a slash at its end",
    ],
    [
      "if its issuer's URL has another port than Cognito calls",
      { details: { oidc_issuer: "https://login.example.com:8443" } },
      {},
      "on the ports 443 and 80",
    ],
    ["without scope openid", { details: { authorize_scopes: "email profile" } }, {}, "the scope openid is required"],
    [
      "if its client secret is read from Systems Manager",
      { details: { client_secret: "{{resolve:ssm:secret}}" } },
      {},
      "dynamic references are not supported here",
    ],
    ["if it uses SAML", { ProviderType: "SAML" }, {}, "only providers with OpenID Connect are supported here"],
    [
      "if a client names a provider that does not exist",
      {},
      { SupportedIdentityProviders: ["Another"] },
      "Cognito refuses a client with a provider that does not exist",
    ],
  ])("is refused %s", (_, change, client, message) => {
    expect(() => readElsewhere(change, client)).toThrow(TemplateError);
    expect(() => readElsewhere(change, client)).toThrow(message);
  });

  it("whose secret does not exist is refused, as by CloudFormation", () => {
    expect(() => readElsewhere({}, {}, () => undefined as never)).toThrow(
      `can't find the specified secret: ${secretName}`,
    );
  });
});
