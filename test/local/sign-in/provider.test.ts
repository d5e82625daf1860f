import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { aPool, NOW, provider, verified } from "./identity-provider.ts";

const MINUTE = 60_000;

const aProvider = async () => {
  const pool = await aPool();
  pool.setAccount("nora", verified);
  const asked = {
    client_id: "event-alerting",
    redirect_uri: pool.callbackUrl,
    response_type: "code",
    scope: "openid email",
    state: "s",
    as: "nora",
  };
  const authorize = async (changedParameters: Record<string, string> = {}) => {
    const query = new URLSearchParams({ ...asked, ...changedParameters }).toString();
    const answer = await fetch(`${pool.elsewhere}/authorize?${query}`, { redirect: "manual" });
    const to = answer.headers.get("location");
    return { status: answer.status, to: Object.fromEntries(new URL(to ?? "http://none").searchParams) };
  };
  const requestToken = async (code: string, changedFields: Record<string, string> = {}, authorization?: string) => {
    const form = {
      grant_type: "authorization_code",
      code,
      redirect_uri: pool.callbackUrl,
      client_id: provider.clientId,
      client_secret: provider.clientSecret,
      ...changedFields,
    };
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await fetch(`${pool.elsewhere}/token`, { method: "POST", body: new URLSearchParams(form), headers });
    return { status: answer.status, ...((await answer.json()) as Record<string, string>) } as Record<string, unknown>;
  };
  const readUserInfo = async (accessToken: unknown) => {
    const answer = await fetch(`${pool.elsewhere}/userinfo`, {
      headers: { authorization: `Bearer ${String(accessToken)}` },
    });
    return { status: answer.status, body: await answer.json() };
  };
  const requestCode = async (changedParameters = {}) => (await authorize(changedParameters)).to["code"]!;
  return { ...pool, authorize, token: requestToken, userInfo: readUserInfo, newCode: requestCode };
};

it("the identity provider's stand-in publishes its URL over https only, and lists a key with a kid", async () => {
  const { elsewhere } = await aProvider();

  const found = (await (await fetch(`${elsewhere}/.well-known/openid-configuration`)).json()) as Record<string, string>;
  expect(found).toMatchObject({
    issuer: "https://login.example.com/tenant",
    authorization_endpoint: "https://login.example.com/tenant/authorize",
    token_endpoint_auth_methods_supported: ["client_secret_post"],
  });
  expect(await (await fetch(`${elsewhere}/jwks`)).json()).toMatchObject({
    keys: [{ kty: "RSA", alg: "RS256", use: "sig", kid: expect.any(String) as string }],
  });
});

it.each([
  ["a slash at the end of the redirect address", (at: string) => ({ redirect_uri: `${at}/` })],
  ["a query at the end of the redirect address", (at: string) => ({ redirect_uri: `${at}?x=1` })],
  ["an unknown client", () => ({ client_id: "another" })],
])("the identity provider's stand-in refuses a sign-in with %s, and does not redirect", async (_, change) => {
  const { authorize, callbackUrl } = await aProvider();

  expect(await authorize(change(callbackUrl))).toEqual({ status: 400, to: {} });
});

it.each([
  ["without the scope openid", { scope: "email" }, "invalid_scope"],
  ["without a code", { response_type: "token" }, "unsupported_response_type"],
  ["with a plain proof", { code_challenge: "v".repeat(43), code_challenge_method: "plain" }, "invalid_request"],
])("the identity provider's stand-in refuses a request %s", async (_, change, error) => {
  const { authorize } = await aProvider();

  expect((await authorize(change)).to).toEqual({ error, state: "s" });
});

it("the identity provider's stand-in gives tokens for a code once, and revokes the tokens if the code is used again", async () => {
  const { newCode, token, userInfo } = await aProvider();
  const code = await newCode();

  const { access_token: access } = await token(code);

  expect(await userInfo(access)).toEqual({
    status: 200,
    body: { sub: "nora", email: "nora@acme.example", email_verified: true },
  });
  expect(await token(code)).toEqual({ status: 400, error: "invalid_grant" });
  expect(await userInfo(access)).toMatchObject({ status: 401 });
});

it.each([
  ["a wrong secret", { client_secret: "guessed" }, "invalid_client"],
  ["no secret", { client_secret: "" }, "invalid_client"],
  ["an unknown client", { client_id: "another" }, "invalid_client"],
  ["a redirect address other than the code's", { redirect_uri: "https://evil.example/" }, "invalid_grant"],
  ["the grant type password", { grant_type: "password" }, "unsupported_grant_type"],
])("the identity provider's stand-in gives no tokens to a request with %s", async (_, change, error) => {
  const { newCode, token } = await aProvider();

  expect(await token(await newCode(), change)).toMatchObject({ error });
});

it("the identity provider's stand-in accepts the client secret only in the form body", async () => {
  const { newCode, token } = await aProvider();
  const basic = `Basic ${Buffer.from(`${provider.clientId}:${provider.clientSecret}`).toString("base64")}`;

  expect(await token(await newCode(), { client_secret: "" }, basic)).toMatchObject({ status: 401 });
});

it("the identity provider's stand-in gives tokens only for the PKCE verifier that matches the challenge", async () => {
  const { newCode, token } = await aProvider();
  const code_challenge = createHash("sha256").update("v".repeat(43)).digest("base64url");
  const asked = { code_challenge, code_challenge_method: "S256" };

  expect(await token(await newCode(asked), { code_verifier: "w".repeat(43) })).toMatchObject({
    error: "invalid_grant",
  });
  expect(await token(await newCode(asked))).toMatchObject({ error: "invalid_grant" });
  expect(await token(await newCode(asked), { code_verifier: "v".repeat(43) })).toMatchObject({ status: 200 });
});

it("the identity provider's stand-in expires codes after one minute and tokens after five minutes", async () => {
  const { newCode, token, userInfo, clock } = await aProvider();
  const [late, early] = [await newCode(), await newCode()];
  const { access_token: access } = await token(early);

  clock.now = NOW + MINUTE;
  expect(await token(late)).toMatchObject({ error: "invalid_grant" });
  expect(await userInfo(access)).toMatchObject({ status: 200 });
  clock.now = NOW + 5 * MINUTE;
  expect(await userInfo(access)).toMatchObject({ status: 401 });
});

it("the identity provider's stand-in does not know a person whose account was deleted", async () => {
  const { newCode, token, userInfo, removeAccount } = await aProvider();
  const { access_token: access } = await token(await newCode());
  const code = await newCode();

  await removeAccount("nora");

  expect(await userInfo(access)).toMatchObject({ status: 401 });
  expect(await token(code)).toMatchObject({ error: "invalid_grant" });
  expect(await userInfo("guessed")).toMatchObject({ status: 401 });
});
