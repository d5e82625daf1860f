import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { decodeJwt } from "jose";
import { afterAll, expect, it } from "vitest";
import { listenLocally } from "../../../local/listen.ts";
import { createSignIn } from "../../../local/sign-in/server.ts";
import { aClient, ann, keys } from "./identity-provider.ts";

const client = {
  ...aClient,
  logoutUrls: ["http://console.example/login"],
  scopes: ["openid", "email"],
  rotationGraceMs: 0,
  providers: ["COGNITO"],
};
const verifier = "v".repeat(43);
const asked = {
  client_id: "console",
  redirect_uri: aClient.callbackUrls[0]!,
  response_type: "code",
  scope: "openid email",
  state: "s",
  code_challenge: createHash("sha256").update(verifier).digest("base64url"),
  code_challenge_method: "S256",
  as: "ann@acme.example",
};

const signIn = createSignIn({ clients: [client] }, keys);
signIn.setPeople([{ company: "Acme", people: [{ ...ann, name: "Ann <b>" }] }]);
const server = await listenLocally(createServer(signIn.serve), 0);
afterAll(server.close);

const authorize = async (changedParameters: Record<string, string> = {}) => {
  const query = new URLSearchParams({ ...asked, ...changedParameters }).toString();
  const answer = await fetch(`${server.url}/oauth2/authorize?${query}`, { redirect: "manual" });
  const location = answer.headers.get("location");
  return { status: answer.status, text: await answer.text(), query: new URL(location ?? "http://none").searchParams };
};
const requestToken = async (form: Record<string, string>) => {
  const body = new URLSearchParams({ client_id: "console", redirect_uri: asked.redirect_uri, ...form });
  const answer = await fetch(`${server.url}/oauth2/token`, { method: "POST", body });
  const answered = (await answer.json()) as { access_token?: string; refresh_token?: string; error?: string };
  return { status: answer.status, ...answered };
};
const requestCode = async () => (await authorize()).query.get("code") ?? "";

it("the user pool's stand-in gives a code for a person, and tokens for the code, once", async () => {
  const code = await requestCode();
  const form = { grant_type: "authorization_code", code, code_verifier: verifier };

  const tokens = await requestToken(form);

  expect(decodeJwt(tokens.access_token!)).toMatchObject({ sub: "0-1", client_id: "console", scope: "openid email" });
  expect(await requestToken(form)).toEqual({ status: 400, error: "invalid_grant" });
});

it("the user pool's stand-in refuses a code with a PKCE verifier that does not match the challenge", async () => {
  const form = { grant_type: "authorization_code", code: await requestCode(), code_verifier: "w".repeat(43) };

  expect(await requestToken(form)).toEqual({ status: 400, error: "invalid_grant" });
});

it("the user pool's stand-in replaces a refresh token when it is used", async () => {
  const first = await requestToken({
    grant_type: "authorization_code",
    code: await requestCode(),
    code_verifier: verifier,
  });
  const second = await requestToken({ grant_type: "refresh_token", refresh_token: first.refresh_token! });
  const again = await requestToken({ grant_type: "refresh_token", refresh_token: first.refresh_token! });

  expect([second.status, again.status]).toEqual([200, 400]);
});

it("the user pool's stand-in drops a refresh token that was revoked", async () => {
  const { refresh_token: refresh = "" } = await requestToken({
    grant_type: "authorization_code",
    code: await requestCode(),
    code_verifier: verifier,
  });
  const body = new URLSearchParams({ client_id: "console", token: refresh });
  await fetch(`${server.url}/oauth2/revoke`, { method: "POST", body });

  expect((await requestToken({ grant_type: "refresh_token", refresh_token: refresh })).status).toBe(400);
});

it("the user pool's stand-in shows a button for each person, with the name as text", async () => {
  const { status, text } = await authorize({ as: "" });

  expect(status).toBe(200);
  expect(text).toContain("<button>Ann &lt;b&gt; (ann@acme.example)</button>");
});

it.each([
  ["an address that is not registered", { redirect_uri: "http://evil.example/" }, 400, undefined],
  ["an unknown client", { client_id: "other" }, 400, undefined],
  ["a scope that the client does not have", { scope: "admin" }, 302, "invalid_scope"],
  ["the PKCE method plain", { code_challenge_method: "plain" }, 302, "invalid_request"],
  ["a flow without a code", { response_type: "token" }, 302, "unsupported_response_type"],
])("the user pool's stand-in refuses, like Cognito, %s", async (_, change, status, error) => {
  const answer = await authorize(change);

  expect(answer.status).toBe(status);
  expect(answer.query.get("error") ?? undefined).toBe(error);
});

it("the user pool's stand-in redirects only to a registered sign-out URL", async () => {
  const signOutTo = (address: string) =>
    fetch(`${server.url}/logout?client_id=console&logout_uri=${encodeURIComponent(address)}`, { redirect: "manual" });

  expect((await signOutTo("http://console.example/login")).headers.get("location")).toBe(
    "http://console.example/login",
  );
  expect((await signOutTo("http://evil.example/")).status).toBe(400);
});
