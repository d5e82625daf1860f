import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { readText } from "../body.ts";
import type { Keys } from "../sessions.ts";
import type { MachineModel, SignInClientModel } from "../template/clients.ts";
import { clientIn, createMachines, isSame, type Machines } from "./machines.ts";
import { secondFactorPage, signInPage } from "./page.ts";
import { createFactors, createUserApi, type Factors, type Mfa } from "./user-api.ts";
import { MINUTE_MS } from "../../core/domain/basics/units.ts";

export type Person = { sub: string; userId: string; name: string; email: string };
/** The people by company, in the order of the page. */
export type People = readonly { company: string; people: readonly Person[] }[];

/** The lifetime of a code in Cognito. */
const CODE_MS = 5 * MINUTE_MS;

type Code = {
  clientId: string;
  redirectUri: string;
  challenge: string;
  scopes: string[];
  person: Person;
  until: number;
};
type Refresh = Pick<Code, "clientId" | "scopes" | "person" | "until">;
type Who = Pick<Code, "scopes" | "person">;

const CORS = { "access-control-allow-origin": "*", "access-control-allow-headers": "content-type, x-amz-target" };

const withQuery = (address: string, values: Record<string, string | null>): string => {
  const url = new URL(address);
  for (const [name, value] of Object.entries(values)) if (value !== null) url.searchParams.set(name, value);
  return url.href;
};

const html = (response: ServerResponse, status: number, body: string): void => {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  });
  response.end(body);
};
const json = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store", ...CORS });
  response.end(JSON.stringify(body));
};
const redirect = (response: ServerResponse, location: string): void => {
  response.writeHead(302, { location, "cache-control": "no-store" }).end();
};

const newToken = (): string => randomBytes(32).toString("base64url");

/** What is wrong with a request for a code, in OAuth's terms. */
const faultOf = (
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
  people: () => People;
  factors: Factors;
};

/** `/oauth2/authorize` and `/logout`: the pages that a browser is sent to, and that send it back with a code. */
const createPages = ({ clients, codes, people, factors }: PagesOptions) => ({
  authorize: (query: URLSearchParams, response: ServerResponse): void => {
    const ask = (name: string): string => query.get(name) ?? "";
    const client = clients.find(({ id }) => id === ask("client_id"));
    const redirectUri = ask("redirect_uri");
    if (client === undefined) return html(response, 400, "This client does not exist.");
    if (!client.callbackUrls.includes(redirectUri))
      return html(response, 400, "redirect_mismatch: this address is not registered with the client.");
    const state = query.get("state");
    const scopes = ask("scope") === "" ? [...client.scopes] : ask("scope").split(" ");
    const error = faultOf(ask, client, scopes);
    if (error !== undefined) return redirect(response, withQuery(redirectUri, { error, state }));
    const everybody = people().flatMap((company) => company.people);
    const person = everybody.find(({ email }) => email === ask("as").toLowerCase());
    if (person === undefined) {
      const here = (as: string): string => `?${new URLSearchParams([...query, ["as", as]]).toString()}`;
      return html(response, 200, signInPage(people(), here));
    }
    const secret = factors.toSetUp(person.sub);
    const asksForCode = secret !== undefined || factors.isSet(person.sub);
    if (asksForCode && !factors.verify(person.sub, ask("totp"), Date.now())) {
      const asked = [...query].filter(([name]) => name !== "totp");
      return html(response, 200, secondFactorPage(asked, secret));
    }
    const code = newToken();
    const challenge = ask("code_challenge");
    codes.set(code, { clientId: client.id, redirectUri, challenge, scopes, person, until: Date.now() + CODE_MS });
    return redirect(response, withQuery(redirectUri, { code, state }));
  },

  logout: (query: URLSearchParams, response: ServerResponse): void => {
    const client = clients.find(({ id }) => id === query.get("client_id"));
    const to = query.get("logout_uri") ?? "";
    if (client === undefined || !client.logoutUrls.includes(to))
      return html(response, 400, "This address is not registered for signing out.");
    return redirect(response, to);
  },
});

/** The refresh tokens, and the tokens that a code or a refresh token gives; undefined when it is not valid. */
const createGrants = (keys: Keys, codes: Map<string, Code>) => {
  const refreshes = new Map<string, Refresh>();

  const issue = async (client: SignInClientModel, { person, scopes }: Who) => {
    const grant = { issuer: client.issuer, clientId: client.id, lifetimeMs: client.accessTokenMs };
    return {
      access_token: await keys.mintSession(person, { ...grant, scope: scopes.join(" ") }),
      ...(scopes.includes("openid") ? { id_token: await keys.mintIdToken(person, { ...grant, scopes }) } : {}),
      expires_in: client.accessTokenMs / 1000,
      token_type: "Bearer",
    };
  };
  const newRefresh = (client: SignInClientModel, { person, scopes }: Who): string => {
    const token = newToken();
    refreshes.set(token, { clientId: client.id, scopes, person, until: Date.now() + client.refreshTokenMs });
    return token;
  };

  const authorization_code = async (
    client: SignInClientModel,
    ask: (name: string) => string,
  ): Promise<object | undefined> => {
    const code = codes.get(ask("code"));
    codes.delete(ask("code"));
    const proof = createHash("sha256").update(ask("code_verifier")).digest("base64url");
    if (code === undefined || code.clientId !== client.id || code.until <= Date.now()) return undefined;
    if (code.redirectUri !== ask("redirect_uri") || !isSame(code.challenge, proof)) return undefined;
    return { ...(await issue(client, code)), refresh_token: newRefresh(client, code) };
  };
  const refresh_token = async (
    client: SignInClientModel,
    ask: (name: string) => string,
  ): Promise<object | undefined> => {
    const refresh = refreshes.get(ask("refresh_token"));
    if (refresh === undefined || refresh.clientId !== client.id || refresh.until <= Date.now()) return undefined;
    const tokens = await issue(client, refresh);
    if (client.rotationGraceMs === undefined) return tokens;
    refresh.until = Math.min(refresh.until, Date.now() + client.rotationGraceMs);
    return { ...tokens, refresh_token: newRefresh(client, refresh) };
  };
  return { refreshes, byType: new Map(Object.entries({ authorization_code, refresh_token })) };
};

/** `/oauth2/token` and `/oauth2/revoke`, which an application calls by itself. */
const createTokens = (
  clients: readonly SignInClientModel[],
  { refreshes, byType }: ReturnType<typeof createGrants>,
  machines: Machines,
) => ({
  token: async (authorization: string | undefined, form: URLSearchParams, response: ServerResponse): Promise<void> => {
    const sender = clientIn(authorization, form);
    const forMachine = await machines.token(sender, form);
    if (forMachine !== undefined) return json(response, forMachine.status, forMachine.body);
    const client = clients.find(({ id }) => id === sender.id);
    if (client === undefined || sender.secret !== "") return json(response, 400, { error: "invalid_client" });
    if (form.get("grant_type") === "client_credentials") return json(response, 400, { error: "unauthorized_client" });
    const grant = byType.get(form.get("grant_type") ?? "");
    if (grant === undefined) return json(response, 400, { error: "unsupported_grant_type" });
    const tokens = await grant(client, (name) => form.get(name) ?? "");
    return tokens === undefined ? json(response, 400, { error: "invalid_grant" }) : json(response, 200, tokens);
  },

  revoke: (form: URLSearchParams, response: ServerResponse): void => {
    const text = form.get("token") ?? "";
    const known = refreshes.get(text);
    if (known !== undefined && known.clientId !== form.get("client_id"))
      return json(response, 400, { error: "unauthorized_client" });
    refreshes.delete(text);
    return json(response, 200, {});
  },
});

/**
 * Stands in for the user pool's own pages: `/oauth2/authorize`, `/oauth2/token`, `/oauth2/revoke` and `/logout`. It
 * takes the clients from the template and accepts what Cognito accepts: registered addresses only, a code with PKCE,
 * valid once and for five minutes, refresh tokens that are replaced when they are used. Instead of asking for a
 * password, it shows one button per person; `?as=` with an e-mail address presses it. It asks for the second factor of
 * whoever has set one up. `/` is the pool's API for people themselves. Machines get tokens by their secrets.
 */
export const createSignIn = (
  { clients, machines = [] }: { clients: readonly SignInClientModel[]; machines?: readonly MachineModel[] },
  keys: Keys,
  mfa: Mfa = "OPTIONAL",
) => {
  let companies: People = [];
  const codes = new Map<string, Code>();
  const factors = createFactors(mfa);
  const findPerson = (sub: string): Person | undefined =>
    companies.flatMap(({ people }) => people).find((person) => person.sub === sub);
  const userApi = createUserApi({ keys, factors, findPerson });
  const { authorize, logout } = createPages({ clients, codes, people: () => companies, factors });
  const { token, revoke } = createTokens(clients, createGrants(keys, codes), createMachines(machines, keys));

  const onRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://sign-in");
    const readForm = async () => new URLSearchParams(await readText(request));
    switch (`${request.method ?? ""} ${url.pathname}`) {
      case "GET /oauth2/authorize":
        return authorize(url.searchParams, response);
      case "POST /oauth2/token":
        return token(request.headers.authorization, await readForm(), response);
      case "POST /oauth2/revoke":
        return revoke(await readForm(), response);
      case "POST /": {
        const target = request.headers["x-amz-target"];
        const { status, body } = await userApi(typeof target === "string" ? target : "", await readText(request));
        return json(response, status, body);
      }
      case "GET /logout":
        return logout(url.searchParams, response);
      default:
        if (request.method === "OPTIONS") return void response.writeHead(204, CORS).end();
        return html(response, 404, "There are /oauth2/authorize, /oauth2/token, /oauth2/revoke and /logout.");
    }
  };

  return {
    serve: (request: IncomingMessage, response: ServerResponse): void => {
      onRequest(request, response).catch(() => response.destroy());
    },
    /** Sets the people that the page offers. */
    setPeople: (people: People): void => {
      companies = people;
    },
  };
};
