import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeJwt } from "jose";
import { afterAll } from "vitest";
import { listenLocally } from "../../../local/listen.ts";
import { openSessionKeys } from "../../../local/sessions.ts";
import type { Person } from "../../../local/sign-in/directory.ts";
import { createProvider } from "../../../local/sign-in/provider.ts";
import { createSignIn } from "../../../local/sign-in/server.ts";
import type { SignInClientModel } from "../../../local/template/clients.ts";

export const NOW = Date.UTC(2026, 10, 23, 12);
export const HOUR = 3_600_000;
const CONSOLE = "https://console.example/signed-in";

export const provider = {
  name: "SingleSignOn",
  issuer: "https://login.example.com/tenant",
  clientId: "event-alerting",
  clientSecret: "a-secret",
  scopes: "openid email profile",
  method: "GET" as const,
  mapping: { email: "email", email_verified: "email_verified", name: "name" },
};
export const aClient: SignInClientModel = {
  id: "console",
  issuer: "https://issuer.example/pool",
  callbackUrls: [CONSOLE],
  logoutUrls: [],
  scopes: ["openid", "email", "profile", "aws.cognito.signin.user.admin"],
  accessTokenMs: HOUR,
  refreshTokenMs: 12 * HOUR,
  rotationGraceMs: undefined,
  providers: ["SingleSignOn"],
  writes: ["email", "name"],
};
export const ann: Person = { sub: "0-1", userId: "usr_01", name: "Ann", email: "ann@acme.example" };
export const verified = { name: "Nora", email: "nora@acme.example", emailVerified: true, groups: [] };

const verifier = "v".repeat(43);
export const dir = mkdtempSync(join(tmpdir(), "elsewhere-"));
export const keys = openSessionKeys(dir);
const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
  rmSync(dir, { recursive: true });
});

/** Opens URLs with cookies, and follows redirects up to the first one that leads to the console. */
export const aBrowser = () => {
  let cookie: string | undefined;
  const followRedirects = async (url: string): Promise<{ at: URL; status: number; text: string }> => {
    const answer = await fetch(url, { redirect: "manual", headers: cookie === undefined ? {} : { cookie } });
    cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? cookie;
    const next = answer.headers.get("location");
    if (next === null) return { at: new URL(url), status: answer.status, text: await answer.text() };
    if (next.startsWith(CONSOLE)) return { at: new URL(next), status: answer.status, text: "" };
    return followRedirects(next);
  };
  return followRedirects;
};

type Tokens = { access_token?: string; id_token?: string; refresh_token?: string; error?: string };
type Options = {
  client?: Partial<SignInClientModel>;
  secret?: string;
  /** A proxy between the user pool and the provider. */
  between?: (address: string, init?: RequestInit) => Promise<Response>;
};

export const aPool = async ({ client = {}, secret = provider.clientSecret, between }: Options = {}) => {
  const clock = { now: NOW };
  const now = () => clock.now;
  const faults: { sso: "up" | "down" } = { sso: "up" };
  const [poolServer, providerServer] = [createServer(), createServer()];
  const [pool, elsewhere] = [await listenLocally(poolServer, 0), await listenLocally(providerServer, 0)];
  closers.push(pool.close, elsewhere.close);
  const callbackUrl = `${pool.url}/oauth2/idpresponse`;
  const standIn = createProvider({
    client: { ...provider, clientSecret: secret, redirectUri: callbackUrl },
    faultOf: () => faults.sso,
    now,
  });
  providerServer.on("request", standIn.serve);
  const federation = {
    provider,
    callbackUrl,
    reach: (address: string) => address.replace("https://login.example.com", elsewhere.url),
    ...(between === undefined ? {} : { ask: between }),
  };
  const signIn = createSignIn({ clients: [{ ...aClient, ...client }], federation, now }, keys);
  signIn.setPeople([{ company: "Acme", people: [ann] }]);
  poolServer.on("request", signIn.serve);

  const createAuthorizeUrl = (parameters: Record<string, string> = {}): string =>
    `${pool.url}/oauth2/authorize?${new URLSearchParams({
      client_id: "console",
      redirect_uri: CONSOLE,
      response_type: "code",
      scope: aClient.scopes.join(" "),
      state: "of the console",
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
      identity_provider: "SingleSignOn",
      ...parameters,
    }).toString()}`;
  const requestToken = async (form: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: "console", redirect_uri: CONSOLE, ...form });
    const answer = await fetch(`${pool.url}/oauth2/token`, { method: "POST", body });
    const tokens = (await answer.json()) as Tokens;
    return { status: answer.status, ...tokens };
  };
  const exchangeCode = (callback: URL) =>
    requestToken({
      grant_type: "authorization_code",
      code: callback.searchParams.get("code") ?? "",
      code_verifier: verifier,
    });
  const callPool = async (target: string, body: object, authorization = "") => {
    const answer = await fetch(pool.url, {
      method: "POST",
      headers: { "x-amz-target": `AWSCognitoIdentityProviderService.${target}`, authorization },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

  return {
    url: pool.url,
    elsewhere: `${elsewhere.url}/tenant`,
    accounts: `${elsewhere.url}/local/accounts`,
    callbackUrl,
    setAccount: standIn.setAccount,
    removeAccount: (sub: string) => fetch(`${elsewhere.url}/local/accounts/${sub}`, { method: "DELETE" }),
    clock,
    faults,
    address: createAuthorizeUrl,
    exchange: exchangeCode,
    renew: (refresh: string) => requestToken({ grant_type: "refresh_token", refresh_token: refresh }),
    attributes: async (AccessToken: string) => {
      const { body } = await callPool("GetUser", { AccessToken });
      const list = (body["UserAttributes"] ?? []) as { Name: string; Value: string }[];
      return Object.fromEntries(list.map(({ Name, Value }) => [Name, Value]));
    },
    tie: (subject: string, to: string, operator = "local-operator") =>
      callPool(
        "AdminLinkProviderForUser",
        {
          UserPoolId: "pool",
          DestinationUser: { ProviderName: "Cognito", ProviderAttributeValue: to },
          SourceUser: {
            ProviderName: "SingleSignOn",
            ProviderAttributeName: "Cognito_Subject",
            ProviderAttributeValue: subject,
          },
        },
        `AWS4-HMAC-SHA256 Credential=${operator}/20261123/us-east-1/cognito-idp/aws4_request, Signature=0`,
      ),
    signInAs: async (sub: string) => {
      const { at } = await aBrowser()(createAuthorizeUrl({ as: sub }));
      const tokens = await exchangeCode(at);
      return { ...tokens, sub: decodeJwt(tokens.access_token!).sub!, claims: decodeJwt(tokens.id_token!) };
    },
  };
};
