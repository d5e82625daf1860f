import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from "jose";
import * as v from "valibot";
import { MINUTE_MS } from "../../core/domain/basics/units.ts";
import type { ProviderModel } from "../template/clients.ts";
import { createRandomToken, addQuery } from "./answers.ts";

const WAIT_MS = 5 * MINUTE_MS;
const ANSWER_MS = 5_000;

const Https = v.pipe(
  v.string(),
  v.regex(/^https:\/\/[^/:]+(?::443|:80)?\//i, "must be an https address on port 443 or 80"),
);
const Discovery = v.object({
  issuer: v.string(),
  authorization_endpoint: Https,
  token_endpoint: Https,
  userinfo_endpoint: Https,
  jwks_uri: Https,
});
const Tokens = v.object({ access_token: v.string(), id_token: v.string() });
const Keys = v.custom<JSONWebKeySet>(
  (value) => v.is(v.object({ keys: v.array(v.looseObject({ kid: v.string() })) }), value),
  "every key of a provider must have a kid",
);
const Claims = v.looseObject({ sub: v.pipe(v.string(), v.nonEmpty()) });
const OAuthError = v.object({ error: v.string(), error_description: v.optional(v.string()) });

class Failed extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A sign-in that has started. `request`: the application's request to the pool. */
type StartedSignIn<Request> = { request: Request; nonce: string; browser: string; until: number };

/** The result of a sign-in at the provider. `unknown`: the browser has not started a sign-in. */
export type SignInResult<Request> =
  | { kind: "vouched"; request: Request; claims: Record<string, unknown> & { sub: string }; nonce: string }
  | { kind: "refused"; request: Request; error: string; description: string }
  | { kind: "unknown" };

export type FederationOptions = {
  provider: ProviderModel;
  callbackUrl: string;
  /** Converts a URL of the provider to the stand-in's local URL. */
  reach: (address: string) => string;
  ask?: (address: string, init: RequestInit) => Promise<Response>;
  now?: () => number;
};

/** Returns a function that requests JSON from the provider. Throws Failed if the answer is an error or has another shape. */
const createProviderCaller =
  ({ provider: { name }, reach, ask = fetch }: FederationOptions) =>
  async <Output>(
    schema: v.GenericSchema<unknown, Output>,
    address: string,
    init: RequestInit = {},
  ): Promise<Output> => {
    let answer: Response;
    let answered: unknown;
    try {
      answer = await ask(reach(address), { ...init, redirect: "error", signal: AbortSignal.timeout(ANSWER_MS) });
      answered = await answer.json();
    } catch {
      throw new Failed("server_error", `${name} gave no answer`);
    }
    if (!answer.ok) {
      const known = v.safeParse(OAuthError, answered);
      const [error, more] = known.success ? [known.output.error, known.output.error_description ?? ""] : ["", ""];
      throw new Failed("invalid_request", `${name} Error - ${answer.status} ${error} ${more}`.trim());
    }
    const read = v.safeParse(schema, answered);
    if (!read.success) throw new Failed("invalid_request", `${name} answered in an unexpected form`);
    return read.output;
  };
type ProviderCaller = ReturnType<typeof createProviderCaller>;

/** Returns the claims of an ID token. Throws unless the token is valid as Cognito documents, including its nonce. */
const readIdToken = async (
  { provider: { name, issuer, clientId }, now = Date.now }: FederationOptions,
  keys: JSONWebKeySet,
  token: string,
  nonce: string,
) => {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(keys), {
      issuer,
      audience: clientId,
      algorithms: ["RS256", "RS384", "RS512", "ES256", "ES384", "ES512"],
      requiredClaims: ["exp"],
      currentDate: new Date(now()),
    });
    if (protectedHeader.kid === undefined) throw new Error("the token has no kid");
    if (payload["nonce"] !== nonce) throw new Error("the nonce belongs to another request");
    return v.parse(Claims, payload);
  } catch {
    throw new Failed("invalid_request", `${name} gave an ID token that is not valid`);
  }
};

/** Returns a function that exchanges a code for tokens, and returns the person's claims. Throws if the tokens are invalid. */
const createCodeExchange = (
  options: FederationOptions,
  ask: ProviderCaller,
  discover: () => Promise<v.InferOutput<typeof Discovery>>,
) => {
  const { name, clientId, clientSecret, method } = options.provider;
  return async (code: string, nonce: string): Promise<v.InferOutput<typeof Claims>> => {
    const endpoints = await discover();
    const tokens = await ask(Tokens, endpoints.token_endpoint, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code,
        redirect_uri: options.callbackUrl,
        client_id: clientId,
        client_secret: clientSecret,
      }),
    });
    const claims = await readIdToken(options, await ask(Keys, endpoints.jwks_uri), tokens.id_token, nonce);
    const known = await ask(Claims, endpoints.userinfo_endpoint, {
      method,
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    if (known.sub !== claims.sub)
      throw new Failed("invalid_request", `the access token and the ID token of ${name} belong to different people`);
    return { ...claims, ...known };
  };
};

/** Creates sign-ins at the provider, as in Cognito: without PKCE, within five minutes, and in the browser that started them. */
export const createFederation = <Request>(options: FederationOptions) => {
  const { provider, callbackUrl, reach, now = Date.now } = options;
  const waiting = new Map<string, StartedSignIn<Request>>();
  const ask = createProviderCaller(options);
  const discoverProvider = async () => {
    const found = await ask(Discovery, `${provider.issuer}/.well-known/openid-configuration`);
    if (found.issuer !== provider.issuer)
      throw new Failed("invalid_request", `${provider.name} says that it is another issuer`);
    return found;
  };
  const exchange = createCodeExchange(options, ask, discoverProvider);
  /** Returns the error that the application gets. Throws errors that the provider did not cause. */
  const toFailure = (error: unknown) => {
    if (!(error instanceof Failed)) throw error;
    return { error: error.code, description: error.message };
  };

  return {
    name: provider.name,
    /** Returns the provider's URL or an error. `browser`: the browser's cookie; `as`: the address of the account to sign in. */
    begin: async (
      request: Request,
      browser: string,
      as: string | null,
    ): Promise<{ to: string } | { error: string; description: string }> => {
      try {
        const { authorization_endpoint } = await discoverProvider();
        const [state, nonce] = [createRandomToken(), createRandomToken()];
        waiting.set(state, { request, nonce, browser, until: now() + WAIT_MS });
        const to = addQuery(reach(authorization_endpoint), {
          client_id: provider.clientId,
          redirect_uri: callbackUrl,
          response_type: "code",
          scope: provider.scopes,
          state,
          nonce,
          as,
        });
        return { to };
      } catch (error) {
        return toFailure(error);
      }
    },
    /** Finishes the sign-in to which the query belongs. `browser`: the cookie of the browser. */
    finish: async (query: URLSearchParams, browser: string | undefined): Promise<SignInResult<Request>> => {
      const state = query.get("state") ?? "";
      const found = waiting.get(state);
      if (found === undefined || found.browser !== browser) return { kind: "unknown" };
      waiting.delete(state);
      if (found.until <= now()) return { kind: "unknown" };
      const { request, nonce } = found;
      const error = query.get("error");
      if (error !== null) {
        const description = `${provider.name} Error - ${query.get("error_description") ?? error}`;
        return { kind: "refused", request, error, description };
      }
      try {
        return { kind: "vouched", request, claims: await exchange(query.get("code") ?? "", nonce), nonce };
      } catch (thrown) {
        return { kind: "refused", request, ...toFailure(thrown) };
      }
    },
  };
};
export type Federation<Request> = ReturnType<typeof createFederation<Request>>;
