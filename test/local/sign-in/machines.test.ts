import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeJwt } from "jose";
import { afterAll, expect, it } from "vitest";
import { listenLocally } from "../../../local/listen.ts";
import { openSessionKeys } from "../../../local/sessions.ts";
import { createSignIn } from "../../../local/sign-in/server.ts";
import { aClient, dir, HOUR, keys } from "./identity-provider.ts";

const { issuer } = aClient;
const ci = { id: "machineci", name: "ci", issuer, scopes: ["event-alerting/member"], accessTokenMs: HOUR };
const server = await listenLocally(createServer(createSignIn({ clients: [aClient], machines: [ci] }, keys).serve), 0);
afterAll(server.close);

const secret = keys.clientSecretOf("machineci");
const encodeBasic = (id: string, text: string) => `Basic ${Buffer.from(`${id}:${text}`).toString("base64")}`;

const requestToken = async (form: Record<string, string>, authorization?: string) => {
  const answer = await fetch(`${server.url}/oauth2/token`, {
    method: "POST",
    headers: authorization === undefined ? {} : { authorization },
    body: new URLSearchParams({ grant_type: "client_credentials", ...form }),
  });
  return { status: answer.status, body: (await answer.json()) as { access_token?: string } & Record<string, unknown> };
};

it.each([
  ["as Basic authentication", {}, encodeBasic("machineci", secret)],
  ["in the form body", { client_id: "machineci", client_secret: secret }, undefined],
])("the user pool's stand-in gives a token to a machine that sends its secret %s", async (_, form, authorization) => {
  const { status, body } = await requestToken(form, authorization);

  expect([status, body["token_type"], body["expires_in"], "refresh_token" in body]).toEqual([
    200,
    "Bearer",
    3600,
    false,
  ]);
  const claims = decodeJwt(body.access_token!);
  expect(claims).toMatchObject({
    iss: issuer,
    sub: "machineci",
    client_id: "machineci",
    token_use: "access",
    scope: "event-alerting/member",
  });
  for (const name of ["aud", "username", "origin_jti"]) expect(claims).not.toHaveProperty(name);
});

it.each([
  ["another secret", {}, encodeBasic("machineci", `${secret}x`), "invalid_client"],
  ["no secret", { client_id: "machineci" }, undefined, "invalid_client"],
  ["an unknown client", {}, encodeBasic("nobody", secret), "invalid_client"],
  ["a secret of a client that has none", {}, encodeBasic("console", secret), "invalid_client"],
  ["a client for people", { client_id: "console" }, undefined, "unauthorized_client"],
  ["another flow", { grant_type: "refresh_token" }, encodeBasic("machineci", secret), "unauthorized_client"],
  ["a scope of people", { scope: "openid" }, encodeBasic("machineci", secret), "invalid_scope"],
])("the user pool's stand-in refuses a machine with %s", async (_, form, authorization, error) => {
  expect(await requestToken(form as Record<string, string>, authorization)).toEqual({ status: 400, body: { error } });
});

it("the user pool's stand-in has a secret for each machine and data directory, which survives a restart", () => {
  const other = mkdtempSync(join(tmpdir(), "machines-"));

  expect(openSessionKeys(other).clientSecretOf("machineci")).not.toBe(secret);
  expect(openSessionKeys(dir).clientSecretOf("machineci")).toBe(secret);
  expect(keys.clientSecretOf("another")).not.toBe(secret);
  rmSync(other, { recursive: true });
});

it("the user pool's stand-in returns no user for a machine, because the machine's token has no scope for users", async () => {
  const { body } = await requestToken({}, encodeBasic("machineci", secret));

  const answer = await fetch(server.url, {
    method: "POST",
    headers: { "x-amz-target": "AWSCognitoIdentityProviderService.GetUser" },
    body: JSON.stringify({ AccessToken: body.access_token }),
  });
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { __type: "NotAuthorizedException", message: "Access Token does not have required scopes" },
  ]);
});
