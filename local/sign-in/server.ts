import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isSameSecret } from "../../core/domain/basics/hmac.ts";
import { MINUTE_MS } from "../../core/domain/basics/units.ts";
import { readText } from "../body.ts";
import type { Keys } from "../sessions.ts";
import type { MachineModel, ProviderModel, SignInClientModel } from "../template/clients.ts";
import { replyHtml, replyJson, createRandomToken, replyPreflight, replyRedirect, addQuery } from "./answers.ts";
import { createDirectory, type Directory, type Person } from "./directory.ts";
import { createFederation, type Federation, type FederationOptions } from "./federation.ts";
import { readClientCredentials, createMachineTokens, type Machines } from "./machines.ts";
import { createAccountLinking } from "./ties.ts";
import { renderMessagePage, renderSecondFactorPage, renderSignInPage } from "./page.ts";
import { createFactors, createUserApi, type Factors, type Mfa } from "./user-api.ts";

const CODE_MS = 5 * MINUTE_MS;
/** The pool's name as its own provider, with which people sign in by password. */
const POOL = "COGNITO";
const BROWSER_COOKIE = "csrf-state";

type Request = { clientId: string; redirectUri: string; challenge: string; scopes: string[]; state: string | null };
type Code = Request & {
  person: Person;
  /** The nonce that Cognito creates for a sign-in through a provider, and puts into the ID token. */
  nonce?: string;
  until: number;
};
type Refresh = Pick<Code, "clientId" | "scopes" | "person" | "until">;
type TokenOwner = Pick<Code, "scopes" | "person" | "nonce">;

/** Returns OAuth's error code for a request for a sign-in; undefined if the request is valid. `ask`: reads a parameter. */
const findRequestFault = (
  ask: (name: string) => string,
  client: SignInClientModel,
  scopes: readonly string[],
): string | undefined => {
  if (ask("response_type") !== "code") return "unsupported_response_type";
  if (!scopes.every((scope) => client.scopes.includes(scope))) return "invalid_scope";
  const hasProof = ask("code_challenge_method") === "S256" && /^[\w-]{43}$/.test(ask("code_challenge"));
  return hasProof ? undefined : "invalid_request";
};

type PagesOptions = {
  clients: readonly SignInClientModel[];
  codes: Map<string, Code>;
  directory: Directory;
  factors: Factors;
  federation: Federation<Request> | undefined;
  provider: ProviderModel | undefined;
  now: () => number;
};

const readBrowserCookie = ({ headers }: IncomingMessage): string | undefined =>
  new RegExp(`(?:^|; )${BROWSER_COOKIE}=([\\w-]{43})(?:;|$)`).exec(headers.cookie ?? "")?.[1];

type RedirectBack = (values: Record<string, string>) => void;

/** Returns a function that redirects the browser to the client with `values` and the request's state. */
const createRedirectBack =
  ({ redirectUri, state }: Request, response: ServerResponse): RedirectBack =>
  (values) =>
    replyRedirect(response, addQuery(redirectUri, { ...values, state }));

const createPageHandlers = ({ clients, codes, directory, factors, federation, provider, now }: PagesOptions) => {
  const createCode = (request: Request, person: Person, nonce?: string): string => {
    const code = createRandomToken();
    codes.set(code, { ...request, person, ...(nonce === undefined ? {} : { nonce }), until: now() + CODE_MS });
    return code;
  };

  const redirectToProvider = async (
    signIns: Federation<Request>,
    request: Request,
    address: string | null,
    [incoming, response]: [IncomingMessage, ServerResponse],
  ): Promise<void> => {
    const browser = readBrowserCookie(incoming) ?? createRandomToken();
    const begun = await signIns.begin(request, browser, address);
    if ("to" in begun)
      return replyRedirect(response, begun.to, `${BROWSER_COOKIE}=${browser}; Path=/; HttpOnly; SameSite=Lax`);
    const { error, description: error_description } = begun;
    return createRedirectBack(request, response)({ error, error_description });
  };

  /** Redirects to the application with an authorization code. First asks for the second factor if the person must enter one. */
  const completeSignIn = (query: URLSearchParams, request: Request, person: Person, response: ServerResponse): void => {
    const secret = factors.toSetUp(person.sub);
    const asksForCode = secret !== undefined || factors.isSet(person.sub);
    if (asksForCode && !factors.verify(person.sub, query.get("totp") ?? "", now())) {
      const asked = [...query].filter(([name]) => name !== "totp");
      return replyHtml(response, 200, renderSecondFactorPage(asked, secret));
    }
    return createRedirectBack(request, response)({ code: createCode(request, person) });
  };

  return {
    authorize: async (query: URLSearchParams, asked: IncomingMessage, response: ServerResponse): Promise<void> => {
      const readParameter = (name: string): string => query.get(name) ?? "";
      const client = clients.find(({ id }) => id === readParameter("client_id"));
      const redirectUri = readParameter("redirect_uri");
      if (client === undefined) return replyHtml(response, 400, renderMessagePage("This client does not exist."));
      if (!client.callbackUrls.includes(redirectUri))
        return replyHtml(
          response,
          400,
          renderMessagePage("redirect_mismatch: this redirect URI is not registered for the client."),
        );
      const scopes = readParameter("scope") === "" ? [...client.scopes] : readParameter("scope").split(" ");
      const [challenge, state] = [readParameter("code_challenge"), query.get("state")];
      const request = { clientId: client.id, redirectUri, challenge, scopes, state };
      const error = findRequestFault(readParameter, client, scopes);
      if (error !== undefined) return createRedirectBack(request, response)({ error });

      const by = readParameter("identity_provider");
      if (by !== "" && !client.providers.includes(by))
        return replyHtml(response, 400, renderMessagePage(`This client does not allow sign-in by ${by}.`));
      if (federation !== undefined && by === federation.name)
        return redirectToProvider(federation, request, query.get("as"), [asked, response]);
      const hasPasswords = client.providers.includes(POOL);
      const person = hasPasswords ? directory.byAddress(readParameter("as").toLowerCase()) : undefined;
      if (person !== undefined) return completeSignIn(query, request, person, response);
      const others = client.providers.filter((name) => name !== POOL);
      const extendQuery = (values: Record<string, string>): [string, string][] => [...query, ...Object.entries(values)];
      return replyHtml(response, 200, renderSignInPage(hasPasswords ? directory.companies() : [], others, extendQuery));
    },

    comeBack: async (query: URLSearchParams, asked: IncomingMessage, response: ServerResponse): Promise<void> => {
      const finished = (await federation?.finish(query, readBrowserCookie(asked))) ?? { kind: "unknown" as const };
      if (finished.kind === "unknown")
        return replyHtml(
          response,
          400,
          renderMessagePage("Something went wrong: this sign-in was not started here, or has expired. Start again."),
        );
      const back = createRedirectBack(finished.request, response);
      if (finished.kind === "refused") return back({ error: finished.error, error_description: finished.description });
      const client = clients.find(({ id }) => id === finished.request.clientId);
      if (client === undefined || provider === undefined) return back({ error: "server_error" });
      const federated = directory.federate(provider, client, finished.claims);
      if (federated.kind === "refused") return back({ error: "invalid_request", error_description: federated.reason });
      return back({ code: createCode(finished.request, federated.person, finished.nonce) });
    },

    logout: (query: URLSearchParams, response: ServerResponse): void => {
      const client = clients.find(({ id }) => id === query.get("client_id"));
      const to = query.get("logout_uri") ?? "";
      if (client === undefined || !client.logoutUrls.includes(to))
        return replyHtml(response, 400, renderMessagePage("The client or this logout_uri is not registered."));
      return replyRedirect(response, to);
    },
  };
};

/** Returns a function for each type of grant, and the refresh tokens that are valid. */
const createGrants = (keys: Keys, codes: Map<string, Code>, now: () => number) => {
  const refreshes = new Map<string, Refresh>();

  const issueTokens = async (client: SignInClientModel, { person, scopes, nonce }: TokenOwner) => {
    const grant = { issuer: client.issuer, clientId: client.id, lifetimeMs: client.accessTokenMs };
    return {
      access_token: await keys.mintAccessToken(person, { ...grant, scope: scopes.join(" ") }),
      ...(scopes.includes("openid") ? { id_token: await keys.mintIdToken(person, { ...grant, scopes, nonce }) } : {}),
      expires_in: client.accessTokenMs / 1000,
      token_type: "Bearer",
    };
  };
  const createRefreshToken = (client: SignInClientModel, { person, scopes }: TokenOwner): string => {
    const token = createRandomToken();
    refreshes.set(token, { clientId: client.id, scopes, person, until: now() + client.refreshTokenMs });
    return token;
  };

  /** Exchanges a code for tokens; undefined if the code is not valid. Each code can be used once. */
  const exchangeCode = async (
    client: SignInClientModel,
    readFormField: (name: string) => string,
  ): Promise<object | undefined> => {
    const code = codes.get(readFormField("code"));
    codes.delete(readFormField("code"));
    const proof = createHash("sha256").update(readFormField("code_verifier")).digest("base64url");
    if (code === undefined || code.clientId !== client.id || code.until <= now()) return undefined;
    if (code.redirectUri !== readFormField("redirect_uri") || !isSameSecret(code.challenge, proof)) return undefined;
    return { ...(await issueTokens(client, code)), refresh_token: createRefreshToken(client, code) };
  };
  /** Exchanges a refresh token for new tokens; undefined if the token is not valid. With rotation, the old token soon expires. */
  const exchangeRefreshToken = async (
    client: SignInClientModel,
    readFormField: (name: string) => string,
  ): Promise<object | undefined> => {
    const refresh = refreshes.get(readFormField("refresh_token"));
    if (refresh === undefined || refresh.clientId !== client.id || refresh.until <= now()) return undefined;
    const tokens = await issueTokens(client, refresh);
    if (client.rotationGraceMs === undefined) return tokens;
    refresh.until = Math.min(refresh.until, now() + client.rotationGraceMs);
    return { ...tokens, refresh_token: createRefreshToken(client, refresh) };
  };
  return {
    refreshes,
    byType: new Map(Object.entries({ authorization_code: exchangeCode, refresh_token: exchangeRefreshToken })),
  };
};

const createTokenHandlers = (
  clients: readonly SignInClientModel[],
  { refreshes, byType }: ReturnType<typeof createGrants>,
  machines: Machines,
) => ({
  token: async (authorization: string | undefined, form: URLSearchParams, response: ServerResponse): Promise<void> => {
    const sender = readClientCredentials(authorization, form);
    const forMachine = await machines.token(sender, form);
    if (forMachine !== undefined) return replyJson(response, forMachine.status, forMachine.body);
    const client = clients.find(({ id }) => id === sender.id);
    if (client === undefined || sender.secret !== "") return replyJson(response, 400, { error: "invalid_client" });
    if (form.get("grant_type") === "client_credentials")
      return replyJson(response, 400, { error: "unauthorized_client" });
    const grant = byType.get(form.get("grant_type") ?? "");
    if (grant === undefined) return replyJson(response, 400, { error: "unsupported_grant_type" });
    const tokens = await grant(client, (name) => form.get(name) ?? "");
    return tokens === undefined
      ? replyJson(response, 400, { error: "invalid_grant" })
      : replyJson(response, 200, tokens);
  },

  revoke: (form: URLSearchParams, response: ServerResponse): void => {
    const text = form.get("token") ?? "";
    const known = refreshes.get(text);
    if (known !== undefined && known.clientId !== form.get("client_id"))
      return replyJson(response, 400, { error: "unauthorized_client" });
    refreshes.delete(text);
    return replyJson(response, 200, {});
  },
});

type SignInOptions = {
  clients: readonly SignInClientModel[];
  machines?: readonly MachineModel[];
  federation?: Omit<FederationOptions, "now">;
  mfa?: Mfa;
  now?: () => number;
};

/**
 * Simulates the user pool. Accepts what Cognito accepts: registered URLs, a code with PKCE for one use within five minutes, and
 * rotation of refresh tokens if rotation is enabled. Instead of a password, the page has a button per person; `?as=` with an
 * email address presses the person's button. People with a second factor must enter the factor's code. A sign-in at a provider
 * returns to `/oauth2/idpresponse`. `/` is the pool's API for people's own data. Machines exchange secrets for tokens.
 */
export const createSignIn = (
  { clients, machines = [], federation: options, mfa = "OPTIONAL", now = Date.now }: SignInOptions,
  keys: Keys,
) => {
  const codes = new Map<string, Code>();
  const factors = createFactors(mfa);
  const directory = createDirectory();
  const userApi = createUserApi({ keys, factors, findPerson: directory.find });
  const tie = createAccountLinking(directory, options?.provider.name);
  const federation = options && createFederation<Request>({ ...options, now });
  const provider = options?.provider;
  const { authorize, comeBack, logout } = createPageHandlers({
    clients,
    codes,
    directory,
    factors,
    federation,
    provider,
    now,
  });
  const { token, revoke } = createTokenHandlers(
    clients,
    createGrants(keys, codes, now),
    createMachineTokens(machines, keys),
  );

  const answerUserPoolCall = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { authorization, "x-amz-target": given } = request.headers;
    const [target, text] = [typeof given === "string" ? given : "", await readText(request)];
    const { status, body } = tie(target, authorization, text) ?? (await userApi(target, text));
    return replyJson(response, status, body);
  };

  const handleRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://sign-in");
    const readForm = async () => new URLSearchParams(await readText(request));
    switch (`${request.method ?? ""} ${url.pathname}`) {
      case "GET /oauth2/authorize":
        return authorize(url.searchParams, request, response);
      case "GET /oauth2/idpresponse":
        return comeBack(url.searchParams, request, response);
      case "POST /oauth2/token":
        return token(request.headers.authorization, await readForm(), response);
      case "POST /oauth2/revoke":
        return revoke(await readForm(), response);
      case "POST /":
        return answerUserPoolCall(request, response);
      case "GET /logout":
        return logout(url.searchParams, response);
      default:
        if (request.method === "OPTIONS") return replyPreflight(response);
        return replyHtml(
          response,
          404,
          renderMessagePage(
            "Unknown path; use /oauth2/authorize, /oauth2/token, /oauth2/revoke, /oauth2/idpresponse or /logout.",
          ),
        );
    }
  };

  return {
    serve: (request: IncomingMessage, response: ServerResponse): void => {
      handleRequest(request, response).catch(() => response.destroy());
    },
    setPeople: directory.setPeople,
    /** Links a provider's account to a person, as an operator does before the account's first sign-in. */
    tie: directory.tie,
  };
};
