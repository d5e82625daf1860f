import { createHash, generateKeyPairSync, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { exportJWK, SignJWT } from "jose";
import * as v from "valibot";
import { isSameSecret } from "../../core/domain/basics/hmac.ts";
import { MINUTE_MS } from "../../core/domain/basics/units.ts";
import type { Fault } from "../aws/front.ts";
import { readText } from "../body.ts";
import type { ProviderModel } from "../template/clients.ts";
import { replyHtml, replyJson, createRandomToken, replyRedirect, addQuery } from "./answers.ts";
import { renderAccountsPage, renderMessagePage } from "./page.ts";

export const Account = v.strictObject({
  name: v.string(),
  email: v.string(),
  /** Whether the address is verified. Undefined if the provider does not say. */
  emailVerified: v.optional(v.boolean()),
  groups: v.optional(v.array(v.string()), []),
});
export type Account = v.InferOutput<typeof Account>;
type Subject = Account & { sub: string };

/** The lifetime of a code, which is short because the pool uses codes at once. */
const CODE_MS = MINUTE_MS;
const TOKEN_MS = 5 * MINUTE_MS;

type SignInCode = {
  sub: string;
  redirectUri: string;
  scopes: readonly string[];
  nonce: string | null;
  challenge: string | null;
  until: number;
  gave?: string;
};
type TokenAccess = { sub: string; scopes: readonly string[]; until: number };

/** The path under which tests create, change and remove accounts. A real provider does not have this path. */
export const ACCOUNTS = "/local/accounts";

type ProviderOptions = {
  client: Pick<ProviderModel, "issuer" | "clientId" | "clientSecret"> & { redirectUri: string };
  faultOf?: () => Fault;
  now?: () => number;
};

const listClaimsInScopes = ({ sub, name, email, emailVerified, groups }: Subject, scopes: readonly string[]) => ({
  sub,
  ...(scopes.includes("email") ? { email, email_verified: emailVerified } : {}),
  ...(scopes.includes("profile") ? { name, groups } : {}),
});

/** Checks a request for a sign-in. Returns an error code of OAuth; undefined if the request is valid. */
const findRequestFault = (query: URLSearchParams): string | undefined => {
  if (query.get("response_type") !== "code") return "unsupported_response_type";
  if (!(query.get("scope") ?? "").split(" ").includes("openid")) return "invalid_scope";
  const challenge = query.get("code_challenge");
  if (challenge === null) return undefined;
  return query.get("code_challenge_method") === "S256" && /^[\w-]{43}$/.test(challenge) ? undefined : "invalid_request";
};

/** Creates a key, and returns its public part (`jwks`) and a function that signs claims at a time in ms (`at`). */
const createSigner = () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const kid = randomUUID();
  return {
    jwks: async () => ({ keys: [{ ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" }] }),
    sign: (claims: Record<string, unknown>, at: number): Promise<string> =>
      new SignJWT({ ...claims, iat: Math.floor(at / 1000), exp: Math.floor((at + TOKEN_MS) / 1000) })
        .setProtectedHeader({ alg: "RS256", kid })
        .sign(privateKey),
  };
};

/** Creates the store of codes and access tokens, which are signed with a new key. */
const createTokenStore = (
  accounts: ReadonlyMap<string, Subject>,
  { client, now }: Required<Omit<ProviderOptions, "faultOf">>,
) => {
  const codes = new Map<string, SignInCode>();
  const tokens = new Map<string, TokenAccess>();
  const signer = createSigner();

  /** Returns OAuth's error for an invalid code, or undefined. A code used twice may be stolen, so its access token is deleted. */
  const findCodeFault = (code: SignInCode | undefined, form: URLSearchParams): string | undefined => {
    if (code?.gave !== undefined) tokens.delete(code.gave);
    if (code === undefined || code.gave !== undefined || code.until <= now()) return "invalid_grant";
    if (code.redirectUri !== form.get("redirect_uri")) return "invalid_grant";
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    return code.challenge === null || isSameSecret(code.challenge, proof) ? undefined : "invalid_grant";
  };

  return {
    jwks: signer.jwks,
    newCode: (sub: string, query: URLSearchParams): string => {
      const code = createRandomToken();
      codes.set(code, {
        sub,
        redirectUri: query.get("redirect_uri") ?? "",
        scopes: (query.get("scope") ?? "").split(" "),
        nonce: query.get("nonce"),
        challenge: query.get("code_challenge"),
        until: now() + CODE_MS,
      });
      return code;
    },
    /** Exchanges a code for tokens. Clients authenticate in the form, because Cognito supports nothing else. */
    exchange: async (form: URLSearchParams): Promise<{ status: number; body: object }> => {
      const isClient = form.get("client_id") === client.clientId;
      if (!isClient || !isSameSecret(form.get("client_secret") ?? "", client.clientSecret))
        return { status: 401, body: { error: "invalid_client" } };
      if (form.get("grant_type") !== "authorization_code")
        return { status: 400, body: { error: "unsupported_grant_type" } };
      const code = codes.get(form.get("code") ?? "");
      const error = findCodeFault(code, form);
      const account = accounts.get(code?.sub ?? "");
      if (error !== undefined || code === undefined || account === undefined)
        return { status: 400, body: { error: error ?? "invalid_grant" } };
      code.gave = createRandomToken();
      tokens.set(code.gave, { sub: code.sub, scopes: code.scopes, until: now() + TOKEN_MS });
      const claims = {
        iss: client.issuer,
        aud: client.clientId,
        ...listClaimsInScopes(account, code.scopes),
        ...(code.nonce === null ? {} : { nonce: code.nonce }),
      };
      const id_token = await signer.sign(claims, now());
      return {
        status: 200,
        body: { access_token: code.gave, id_token, token_type: "Bearer", expires_in: TOKEN_MS / 1000 },
      };
    },
    /** Returns the person's claims; undefined if the token is invalid or expired, or its account was deleted. */
    userInfo: (authorization: string | undefined): object | undefined => {
      const access = tokens.get(/^bearer (.+)$/i.exec(authorization ?? "")?.[1] ?? "");
      const account = accounts.get(access?.sub ?? "");
      if (access === undefined || account === undefined || access.until <= now()) return undefined;
      return listClaimsInScopes(account, access.scopes);
    },
  };
};
type TokenStore = ReturnType<typeof createTokenStore>;

/** Returns a handler of sign-in pages that redirects only to the client's URL, even with errors. */
const createAuthorizeHandler =
  (accounts: ReadonlyMap<string, Subject>, { clientId, redirectUri }: ProviderOptions["client"], tickets: TokenStore) =>
  (query: URLSearchParams, response: ServerResponse): void => {
    if (query.get("client_id") !== clientId)
      return replyHtml(response, 400, renderMessagePage("This client does not exist."));
    if (query.get("redirect_uri") !== redirectUri)
      return replyHtml(response, 400, renderMessagePage("This redirect URI is not registered for the client."));
    const redirectBack = (values: Record<string, string>): void =>
      replyRedirect(response, addQuery(redirectUri, { ...values, state: query.get("state") }));
    const error = findRequestFault(query);
    if (error !== undefined) return redirectBack({ error });
    if (query.has("cancel"))
      return redirectBack({ error: "access_denied", error_description: "The account was not confirmed." });
    const as = (query.get("as") ?? "").toLowerCase();
    const account = [...accounts.values()].find(({ sub, email }) => sub === as || email.toLowerCase() === as);
    if (account !== undefined) return redirectBack({ code: tickets.newCode(account.sub, query) });
    const extendQuery = (values: Record<string, string>): [string, string][] => [
      ...[...query].filter(([name]) => name !== "as"),
      ...Object.entries(values),
    ];
    return replyHtml(response, 200, renderAccountsPage([...accounts.values()], as, extendQuery));
  };

/** Creates or changes (`PUT`) or deletes (`DELETE`) the account `sub`, and answers with all accounts. */
const serveAccounts = async (
  accounts: Map<string, Subject>,
  request: IncomingMessage,
  response: ServerResponse,
  sub: string,
): Promise<void> => {
  if (request.method === "DELETE") accounts.delete(sub);
  else if (request.method === "PUT" && sub !== "") {
    const given = v.safeParse(v.pipe(v.string(), v.parseJson(), Account), await readText(request));
    if (!given.success) return replyJson(response, 400, { error: v.summarize(given.issues) });
    accounts.set(sub, { sub, ...given.output });
  }
  return replyJson(response, 200, { accounts: [...accounts.values()] });
};

/**
 * Creates a provider as strict as real ones: one redirect URL, codes for one use within a minute, client authentication and
 * signed ID tokens. The page has a button per account; `?as=` with an address presses the account's button.
 */
export const createProvider = ({ client, faultOf = () => "up", now = Date.now }: ProviderOptions) => {
  const accounts = new Map<string, Subject>();
  const tickets = createTokenStore(accounts, { client, now });
  const authorize = createAuthorizeHandler(accounts, client, tickets);
  const root = new URL(client.issuer).pathname.replace(/\/$/, "");
  const discovery = {
    issuer: client.issuer,
    authorization_endpoint: `${client.issuer}/authorize`,
    token_endpoint: `${client.issuer}/token`,
    userinfo_endpoint: `${client.issuer}/userinfo`,
    jwks_uri: `${client.issuer}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    token_endpoint_auth_methods_supported: ["client_secret_post"],
    code_challenge_methods_supported: ["S256"],
    scopes_supported: ["openid", "email", "profile"],
  };

  const handleRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://provider");
    if (url.pathname === ACCOUNTS || url.pathname.startsWith(`${ACCOUNTS}/`))
      return serveAccounts(accounts, request, response, decodeURIComponent(url.pathname.slice(ACCOUNTS.length + 1)));
    const fault = faultOf();
    if (fault === "down") return void response.destroy();
    if (fault === "hang") return;
    switch (`${request.method ?? ""} ${url.pathname.slice(root.length)}`) {
      case "GET /.well-known/openid-configuration":
        return replyJson(response, 200, discovery);
      case "GET /jwks":
        return replyJson(response, 200, await tickets.jwks());
      case "GET /authorize":
        return authorize(url.searchParams, response);
      case "POST /token": {
        const { status, body } = await tickets.exchange(new URLSearchParams(await readText(request)));
        return replyJson(response, status, body);
      }
      case "GET /userinfo":
      case "POST /userinfo": {
        const known = tickets.userInfo(request.headers.authorization);
        if (known === undefined) return replyJson(response, 401, { error: "invalid_token" });
        return replyJson(response, 200, known);
      }
      default:
        return replyHtml(response, 404, renderMessagePage("There is no such page at this provider."));
    }
  };

  return {
    serve: (request: IncomingMessage, response: ServerResponse): void => {
      handleRequest(request, response).catch(() => response.destroy());
    },
    setAccount: (sub: string, account: Account): void => {
      accounts.set(sub, { sub, ...account });
    },
  };
};
