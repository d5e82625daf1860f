import { Duration, SecretValue } from "aws-cdk-lib";
import {
  type IUserPool,
  type IUserPoolIdentityProvider,
  ProviderAttribute,
  UserPoolIdentityProviderOidc,
  UserPoolIdentityProviderSaml,
  UserPoolIdentityProviderSamlMetadata,
} from "aws-cdk-lib/aws-cognito";
import type { Construct } from "constructs";
import { type Context, throwConfigError, isSet, readCount, readSetting } from "./context.ts";

/** The protocol: OpenID Connect (with a client secret in AWS Secrets Manager) or SAML. */
type Provider = { kind: "oidc"; issuer: string; clientId: string } | { kind: "saml"; metadataUrl: string };

export type SingleSignOn = Provider & {
  /** How people sign in. `beside`: passwords of the user pool stay valid, during a migration. `only`: passwords are refused. */
  mode: "beside" | "only";
  /** The number of hours after which a person must sign in at the provider again. Default 12. */
  sessionHours: number;
};

const SESSION_HOURS = 12;
/** The maximum is thirty days, as for sessions without single sign-on. */
const SESSION_HOURS_MAX = 720;

const URL_RULE = "an https address without a query, on port 443, because Cognito calls no other";
const HTTPS = /^https:\/\/[a-z0-9.-]+(?::443)?(?:\/[\w.~%/-]*)?$/i;
const SAML_URL = /^https:\/\/[a-z0-9.-]+(?::\d{1,5})?\/[^\s#]+$/i;

/** Reads the settings of an OpenID Connect or SAML provider. Throws a ConfigError for incomplete, invalid or mixed settings. */
const readProvider = (context: Context): Provider => {
  const issuer = readSetting(context, "ssoIssuer", HTTPS, URL_RULE);
  const clientId = readSetting(context, "ssoClientId", /^[\w.:/-]{1,200}$/, "the id of the client at the provider");
  const metadataUrl = readSetting(context, "ssoMetadataUrl", SAML_URL, "the https address of the provider's metadata");
  if (metadataUrl !== undefined)
    return issuer === undefined && clientId === undefined
      ? { kind: "saml", metadataUrl }
      : throwConfigError("ssoMetadataUrl", 'set without "ssoIssuer" and "ssoClientId"', metadataUrl);
  if (issuer === undefined)
    return throwConfigError("ssoIssuer", 'set along with "singleSignOn", or "ssoMetadataUrl"', null);
  return clientId === undefined
    ? throwConfigError("ssoClientId", 'set along with "ssoIssuer"', null)
    : { kind: "oidc", issuer: issuer.replace(/\/$/, ""), clientId };
};

/** Reads the settings of single sign-on; undefined if none is set. Throws a ConfigError for an incomplete or invalid setting. */
export const readSingleSignOn = (context: Context): SingleSignOn | undefined => {
  const mode = context["singleSignOn"];
  if (!isSet(mode)) {
    for (const key of ["ssoIssuer", "ssoClientId", "ssoMetadataUrl", "ssoSessionHours"] as const)
      if (isSet(context[key])) return throwConfigError("singleSignOn", `set along with "${key}"`, null);
    return undefined;
  }
  if (mode !== "beside" && mode !== "only") return throwConfigError("singleSignOn", `"beside" or "only"`, mode);
  const sessionHours = readCount(context, "ssoSessionHours", 1, SESSION_HOURS_MAX, SESSION_HOURS);
  return { ...readProvider(context), mode, sessionHours };
};

/** The provider's name in the user pool, which is part of user names and must never change. */
export const PROVIDER = "SingleSignOn";

/** Returns the name of the secret with the client secret, which the operator creates before the deployment. */
export const toSsoSecretName = (stage: string): string => `event-alerting/${stage}/single-sign-on`;

/**
 * The provider's attribute for each attribute of the user pool. An address must be verified by the provider; otherwise anybody
 * could claim any address. SAML has no standard claims, so the provider must use the names below.
 */
const attributeMapping = {
  email: ProviderAttribute.other("email"),
  emailVerified: ProviderAttribute.other("email_verified"),
  fullname: ProviderAttribute.other("name"),
};

/** Adds the provider to the user pool. CloudFormation inserts the client secret, so the template has only the secret's name. */
export const addProvider = (
  scope: Construct,
  userPool: IUserPool,
  stage: string,
  provider: SingleSignOn,
): IUserPoolIdentityProvider =>
  provider.kind === "oidc"
    ? new UserPoolIdentityProviderOidc(scope, "SingleSignOn", {
        userPool,
        name: PROVIDER,
        issuerUrl: provider.issuer,
        clientId: provider.clientId,
        clientSecret: SecretValue.secretsManager(toSsoSecretName(stage)).unsafeUnwrap(),
        scopes: ["openid", "email", "profile"],
        attributeMapping,
      })
    : new UserPoolIdentityProviderSaml(scope, "SingleSignOn", {
        userPool,
        name: PROVIDER,
        metadata: UserPoolIdentityProviderSamlMetadata.url(provider.metadataUrl),
        // As with OpenID Connect, signing out of the console does not sign out at the provider.
        idpSignout: false,
        attributeMapping,
      });

export const toSessionDuration = ({ sessionHours }: SingleSignOn): Duration => Duration.hours(sessionHours);
