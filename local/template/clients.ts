import type { Reader } from "./reader.ts";
import { region, TemplateError } from "./resolve.ts";
import type { PropertiesOf } from "./resources.ts";

export type SignInClientModel = {
  id: string;
  issuer: string;
  callbackUrls: readonly string[];
  logoutUrls: readonly string[];
  scopes: readonly string[];
  accessTokenMs: number;
  refreshTokenMs: number;
  /** The time in ms for which a refresh token stays valid after its first use; undefined without rotation. */
  rotationGraceMs: number | undefined;
  /** Allowed identity providers: `COGNITO` (the pool, by password) and external providers by name. */
  providers: readonly string[];
  /** Attributes that a sign-in may write; undefined for all attributes. */
  writes: readonly string[] | undefined;
};

export type ProviderModel = {
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: string;
  method: "GET" | "POST";
  /** The name of the provider's claim for each attribute of the user pool. */
  mapping: Readonly<Record<string, string>>;
};

export type MachineModel = Pick<SignInClientModel, "id" | "issuer" | "scopes" | "accessTokenMs"> & { name: string };

type Client = PropertiesOf<"AWS::Cognito::UserPoolClient">;
type Flow = Client["AllowedOAuthFlows"][number];

const createIssuerUrl = (userPoolId: string): string => `https://cognito-idp.${region}.amazonaws.com/${userPoolId}`;

const listClientsWithFlow = (read: Reader, flow: Flow) =>
  read("AWS::Cognito::UserPoolClient").filter(
    ({ properties }) => properties.AllowedOAuthFlowsUserPoolClient && properties.AllowedOAuthFlows.includes(flow),
  );

/** Returns the provider of single sign-on; undefined if the template has no provider. */
export const readProvider = (read: Reader): ProviderModel | undefined => {
  const [first, ...others] = read("AWS::Cognito::UserPoolIdentityProvider");
  if (others.length > 0) throw new TemplateError("more than one provider of single sign-on is not supported here");
  if (first === undefined) return undefined;
  const { ProviderName: name, ProviderDetails: details, AttributeMapping: mapping } = first.properties;
  return {
    name,
    issuer: details.oidc_issuer,
    clientId: details.client_id,
    clientSecret: details.client_secret,
    scopes: details.authorize_scopes,
    method: details.attributes_request_method,
    mapping,
  };
};

export const readSignInClients = (read: Reader): SignInClientModel[] => {
  const known = ["COGNITO", readProvider(read)?.name];
  return listClientsWithFlow(read, "code").map(({ id, ref, properties }) => {
    if (properties.GenerateSecret)
      throw new TemplateError(`${id}: a client with a secret, which a page cannot keep, is not supported here`);
    const unknown = properties.SupportedIdentityProviders.find((name) => !known.includes(name));
    if (unknown !== undefined)
      throw new TemplateError(`${id}: Cognito refuses a client with a provider that does not exist: ${unknown}`);
    return {
      id: ref,
      issuer: createIssuerUrl(properties.UserPoolId),
      callbackUrls: properties.CallbackURLs,
      logoutUrls: properties.LogoutURLs,
      scopes: properties.AllowedOAuthScopes,
      accessTokenMs: properties.AccessTokenValidity * 60_000,
      refreshTokenMs: properties.RefreshTokenValidity * 60_000,
      rotationGraceMs:
        properties.RefreshTokenRotation && properties.RefreshTokenRotation.RetryGracePeriodSeconds * 1000,
      providers: properties.SupportedIdentityProviders,
      writes: properties.WriteAttributes,
    };
  });
};

/** Returns why Cognito would refuse the client of a machine, if it would. `known`: the existing scopes. */
const findMachineClientFault = (
  { AllowedOAuthFlows: flows, GenerateSecret, AllowedOAuthScopes: scopes }: Client,
  known: Set<string>,
) => {
  if (flows.length > 1) return "client_credentials cannot be selected along with another flow";
  if (!GenerateSecret) return "client_credentials cannot be selected if the client does not have a secret";
  const unknown = scopes.find((scope) => !known.has(scope));
  if (unknown !== undefined) return `client_credentials takes scopes of a resource server only, not ${unknown}`;
  return scopes.length === 0 ? "client_credentials needs a scope" : undefined;
};

export const readMachines = (read: Reader): MachineModel[] => {
  const known = new Set(
    read("AWS::Cognito::UserPoolResourceServer").flatMap(({ properties }) =>
      properties.Scopes.map(({ ScopeName }) => `${properties.Identifier}/${ScopeName}`),
    ),
  );
  return listClientsWithFlow(read, "client_credentials").map(({ id, ref, properties }) => {
    const fault = findMachineClientFault(properties, known);
    if (fault !== undefined) throw new TemplateError(`${id}: ${fault}`);
    return {
      name: (properties.ClientName ?? id).replace(/^machine-/, ""),
      id: ref,
      issuer: createIssuerUrl(properties.UserPoolId),
      scopes: properties.AllowedOAuthScopes,
      accessTokenMs: properties.AccessTokenValidity * 60_000,
    };
  });
};
