import { generateKeyPairSync } from "node:crypto";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { cacheAccessToken } from "../../../core/push/access-token.ts";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const account = {
  projectId: "demo",
  clientEmail: "push@demo.iam.gserviceaccount.com",
  privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const START = Date.UTC(2026, 10, 22);

let nowMs: number;
let late: (() => void)[];
const google =
  vi.fn<(url: string, init: { method: string; body: URLSearchParams; signal: AbortSignal }) => Promise<Response>>();

const aToken = (name: string, seconds = 3600) => Response.json({ access_token: name, expires_in: seconds });
const createTokens = () =>
  cacheAccessToken({
    account,
    now: () => nowMs,
    after: (_ms, run) => {
      late.push(run);
      return () => undefined;
    },
    timeoutMs: SECOND,
  });

beforeEach(() => {
  nowMs = START;
  late = [];
  google.mockReset().mockImplementation(async () => aToken("first"));
  vi.stubGlobal("fetch", google);
});
afterEach(() => vi.unstubAllGlobals());

it("an FCM access token is requested with a signed assertion (RFC 7523), for an hour and only for messaging", async () => {
  expect(await createTokens()()).toEqual({ kind: "token", token: "first", expiresAtMs: START + 60 * MINUTE });

  const [url, { method, body, signal }] = google.mock.calls[0]!;
  const assertion = body.get("assertion")!;
  expect([url, method, body.get("grant_type")]).toEqual([
    "https://oauth2.googleapis.com/token",
    "POST",
    "urn:ietf:params:oauth:grant-type:jwt-bearer",
  ]);
  expect(decodeProtectedHeader(assertion)).toEqual({ alg: "RS256", typ: "JWT" });
  expect(decodeJwt(assertion)).toEqual({
    iss: "push@demo.iam.gserviceaccount.com",
    aud: "https://oauth2.googleapis.com/token",
    scope: "https://www.googleapis.com/auth/firebase.messaging",
    iat: START / SECOND,
    exp: START / SECOND + 3600,
  });
  // After its answer, the request is aborted, so that its connection is free.
  expect(signal.aborted).toBe(true);
});

describe("an FCM access token", () => {
  it.each([
    ["is used while it is valid for more than five minutes", 55 * MINUTE - 1, "first", 1],
    ["is renewed five minutes before its end, without a wait", 55 * MINUTE, "first", 2],
    ["is used while it is valid for more than half a minute", 59.5 * MINUTE - 1, "first", 2],
    [
      "makes callers wait for a new one in its last half minute, because it could expire before FCM reads it",
      59.5 * MINUTE,
      "second",
      2,
    ],
    ["makes callers wait for a new one after its end", 90 * MINUTE, "second", 2],
  ])("is renewed shortly before it expires: it %s", async (_, afterMs, token, asked) => {
    const get = createTokens();
    await get();
    google.mockResolvedValue(aToken("second"));

    nowMs += afterMs;

    expect(await get()).toMatchObject({ token });
    await vi.waitFor(() => expect(google).toHaveBeenCalledTimes(asked), { interval: 1 });
  });

  it("is fetched once for all concurrent callers, and then reused", async () => {
    const get = createTokens();

    const got = await Promise.all([get(), get(), get()]);
    await get();

    expect(new Set(got).size).toBe(1);
    expect(google).toHaveBeenCalledTimes(1);
  });
});

describe("no FCM access token is returned", () => {
  it.each([
    [400, "the error invalid_grant", '{"error":"invalid_grant"}', { kind: "auth", code: "OAUTH_INVALID_GRANT" }],
    [401, "the error invalid_client", '{"error":"invalid_client"}', { kind: "auth", code: "OAUTH_INVALID_CLIENT" }],
    [403, "the error access_denied", '{"error":"access_denied"}', { kind: "auth", code: "OAUTH_ACCESS_DENIED" }],
    // Only an error code is passed on, whatever the answer contains.
    [403, "a sentence as the error", '{"error":"key SECRET of push@demo"}', { kind: "auth", code: "OAUTH_403" }],
    [403, "capital letters as the error", '{"error":"SECRET"}', { kind: "auth", code: "OAUTH_403" }],
    [404, "no body", "", { kind: "retry", code: "OAUTH_404" }],
    [429, "the error slow_down", '{"error":"slow_down"}', { kind: "retry", code: "OAUTH_SLOW_DOWN" }],
    [503, "an HTML page", "<html>", { kind: "retry", code: "OAUTH_503" }],
    [503, "a token", '{"access_token":"first","expires_in":3600}', { kind: "retry", code: "OAUTH_503" }],
    [200, "a text that is not JSON", "garbled", { kind: "retry", code: "OAUTH_200" }],
    [200, "an empty token", '{"access_token":"","expires_in":3600}', { kind: "retry", code: "OAUTH_200" }],
  ])("after the token server's answer %i with %s", async (status, _, text, expected) => {
    google.mockResolvedValue(new Response(text, { status }));

    expect(await createTokens()()).toEqual(expected);
  });

  it("if the token server does not answer, and the next caller tries again", async () => {
    const get = createTokens();
    google.mockRejectedValueOnce(new TypeError("fetch failed"));

    expect(await get()).toEqual({ kind: "retry", code: "OAUTH_UNREACHABLE" });
    expect(await get()).toMatchObject({ token: "first" });
  });

  it("if the token server's answer does not come in time, and the next caller tries again", async () => {
    const get = createTokens();
    google.mockReturnValueOnce(Promise.withResolvers<Response>().promise);
    const waiting = get();
    await vi.waitUntil(() => google.mock.calls.length === 1, { interval: 1 });

    late[0]!();

    expect(await waiting).toEqual({ kind: "retry", code: "OAUTH_TIMEOUT" });
    expect(google.mock.calls[0]![1].signal.aborted).toBe(true);
    expect(await get()).toMatchObject({ token: "first" });
  });

  it("after a refused renewal, once the old token has expired; until then, the old token is returned", async () => {
    const get = createTokens();
    await get();
    google.mockImplementation(async () => new Response('{"error":"invalid_grant"}', { status: 400 }));

    nowMs += 57 * MINUTE;
    const renewing = [await get(), await get()];
    nowMs += 4 * MINUTE;

    expect(renewing).toMatchObject([{ token: "first" }, { token: "first" }]);
    expect(await get()).toEqual({ kind: "auth", code: "OAUTH_INVALID_GRANT" });
  });
});
