import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Keys } from "../sessions.ts";
import type { SignInClientModel } from "../template/model.ts";
import { signInPage } from "./page.ts";

export type Person = { sub: string; userId: string; name: string; email: string };
/** The people by their company, in the order of the page. */
export type People = readonly { company: string; people: readonly Person[] }[];

/** As long as Cognito keeps a code. */
const CODE_MS = 5 * 60_000;

type Code = {
  clientId: string;
  redirectUri: string;
  challenge: string;
  scopes: string[];
  person: Person;
  until: number;
};
type Refresh = { clientId: string; scopes: string[]; person: Person; until: number };

const CORS = { "access-control-allow-origin": "*", "access-control-allow-headers": "content-type" };

const readForm = async (request: IncomingMessage): Promise<URLSearchParams> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return new URLSearchParams(Buffer.concat(chunks).toString());
};

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

const withQuery = (address: string, values: Record<string, string | null>): string => {
  const url = new URL(address);
  for (const [name, value] of Object.entries(values)) if (value !== null) url.searchParams.set(name, value);
  return url.href;
};

/**
 * Stands for the user pool's own pages: `/oauth2/authorize`, `/oauth2/token`, `/oauth2/revoke` and `/logout`. It takes the
 * clients of the template and what Cognito takes of them: registered addresses only, a code with PKCE, good once and for five
 * minutes, refresh tokens that are replaced when they are used. Instead of a password there is a button a person; `?as=` with
 * an e-mail address presses it.
 */
export const createSignIn = (clients: readonly SignInClientModel[], keys: Keys) => {
  const codes = new Map<string, Code>();
  const refreshes = new Map<string, Refresh>();
  let companies: People = [];
  const newToken = (): string => randomBytes(32).toString("base64url");
  const find = (email: string): Person | undefined =>
    companies.flatMap(({ people }) => people).find((person) => person.email === email.toLowerCase());

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

  const authorize = (query: URLSearchParams, response: ServerResponse): void => {
    const ask = (name: string): string => query.get(name) ?? "";
    const client = clients.find(({ id }) => id === ask("client_id"));
    const redirectUri = ask("redirect_uri");
    if (client === undefined) return html(response, 400, "This client does not exist.");
    if (!client.callbackUrls.includes(redirectUri))
      return html(response, 400, "redirect_mismatch: this address is not registered with the client.");
    const state = query.get("state");
    const refuse = (error: string): void => redirect(response, withQuery(redirectUri, { error, state }));
    const scopes = ask("scope") === "" ? [...client.scopes] : ask("scope").split(" ");
    if (ask("response_type") !== "code") return refuse("unsupported_response_type");
    if (!scopes.every((scope) => client.scopes.includes(scope))) return refuse("invalid_scope");
    if (ask("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(ask("code_challenge")))
      return refuse("invalid_request");
    const person = find(ask("as"));
    if (person === undefined) {
      const here = (as: string): string => `?${new URLSearchParams([...query, ["as", as]]).toString()}`;
      return html(response, 200, signInPage(companies, here));
    }
    const code = newToken();
    const challenge = ask("code_challenge");
    codes.set(code, { clientId: client.id, redirectUri, challenge, scopes, person, until: Date.now() + CODE_MS });
    return redirect(response, withQuery(redirectUri, { code, state }));
  };

  const issue = async (client: SignInClientModel, { person, scopes }: Pick<Code, "person" | "scopes">) => ({
    access_token: await keys.mintSession(person, {
      issuer: client.issuer,
      clientId: client.id,
      scope: scopes.join(" "),
      lifetimeMs: client.accessTokenMs,
    }),
    expires_in: client.accessTokenMs / 1000,
    token_type: "Bearer",
  });

  const newRefresh = (client: SignInClientModel, { person, scopes }: Pick<Code, "person" | "scopes">): string => {
    const token = newToken();
    refreshes.set(token, { clientId: client.id, scopes, person, until: Date.now() + client.refreshTokenMs });
    return token;
  };

  const fromCode = async (client: SignInClientModel, form: URLSearchParams, response: ServerResponse) => {
    const text = form.get("code") ?? "";
    const code = codes.get(text);
    codes.delete(text);
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const good =
      code !== undefined &&
      code.clientId === client.id &&
      code.until > Date.now() &&
      code.redirectUri === form.get("redirect_uri") &&
      isSame(code.challenge, proof);
    if (!good) return json(response, 400, { error: "invalid_grant" });
    return json(response, 200, { ...(await issue(client, code)), refresh_token: newRefresh(client, code) });
  };

  const fromRefresh = async (client: SignInClientModel, form: URLSearchParams, response: ServerResponse) => {
    const text = form.get("refresh_token") ?? "";
    const refresh = refreshes.get(text);
    if (refresh === undefined || refresh.clientId !== client.id || refresh.until <= Date.now())
      return json(response, 400, { error: "invalid_grant" });
    const tokens = await issue(client, refresh);
    if (client.rotationGraceMs === undefined) return json(response, 200, tokens);
    refresh.until = Math.min(refresh.until, Date.now() + client.rotationGraceMs);
    return json(response, 200, { ...tokens, refresh_token: newRefresh(client, refresh) });
  };

  const token = async (form: URLSearchParams, response: ServerResponse): Promise<void> => {
    const client = clients.find(({ id }) => id === form.get("client_id"));
    if (client === undefined) return json(response, 400, { error: "invalid_client" });
    const grant = form.get("grant_type");
    if (grant === "authorization_code") return fromCode(client, form, response);
    if (grant === "refresh_token") return fromRefresh(client, form, response);
    return json(response, 400, { error: "unsupported_grant_type" });
  };

  const revoke = (form: URLSearchParams, response: ServerResponse): void => {
    const text = form.get("token") ?? "";
    const known = refreshes.get(text);
    if (known !== undefined && known.clientId !== form.get("client_id"))
      return json(response, 400, { error: "unauthorized_client" });
    refreshes.delete(text);
    return json(response, 200, {});
  };

  const logout = (query: URLSearchParams, response: ServerResponse): void => {
    const client = clients.find(({ id }) => id === query.get("client_id"));
    const to = query.get("logout_uri") ?? "";
    if (client === undefined || !client.logoutUrls.includes(to))
      return html(response, 400, "This address is not registered for signing out.");
    return redirect(response, to);
  };

  const onRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://sign-in");
    const asked = `${request.method ?? ""} ${url.pathname}`;
    if (asked === "GET /oauth2/authorize") return authorize(url.searchParams, response);
    if (asked === "POST /oauth2/token") return token(await readForm(request), response);
    if (asked === "POST /oauth2/revoke") return revoke(await readForm(request), response);
    if (asked === "GET /logout") return logout(url.searchParams, response);
    if (request.method === "OPTIONS") {
      response.writeHead(204, CORS).end();
      return undefined;
    }
    return html(response, 404, "There are /oauth2/authorize, /oauth2/token, /oauth2/revoke and /logout.");
  };

  return {
    serve: (request: IncomingMessage, response: ServerResponse): void => {
      onRequest(request, response).catch(() => response.destroy());
    },
    /** Whom the page offers. */
    setPeople: (people: People): void => {
      companies = people;
    },
  };
};
