import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Fcm, InboxEntry } from "../../../local/fcm/server.ts";
import { openSession, post, readInbox, sendOverHttp2, sendTo, startFcmForThisProcess } from "./support.ts";

let fcm: Fcm;
const seen: InboxEntry[] = [];

beforeAll(async () => {
  fcm = await startFcmForThisProcess({ onMessage: (entry) => seen.push(entry) });
});
afterAll(() => fcm.close());
afterEach(async () => {
  fcm.setMode({});
  fcm.resetCounts();
  seen.length = 0;
  await fetch(fcm.inboxUrl, { method: "DELETE" });
});

const listAcceptedTokens = () => seen.map(({ token }) => token);
const readFcmCode = (body: Record<string, unknown>) =>
  (body["error"] as { details?: { errorCode: string }[] }).details?.[0]?.errorCode;

describe("the prefix of a device token decides the FCM stand-in's answer:", () => {
  it("any other token is accepted, and the inbox shows the message unchanged", async () => {
    const { status, body } = await sendTo("phone-1", { data: { a: "1" }, android: { ttl: "3600s" } });

    const [entry, ...others] = await readInbox(fcm.inboxUrl);
    expect(status).toBe(200);
    expect(body["name"]).toBe(`projects/demo/messages/${entry!.id}`);
    expect(others).toEqual([]);
    expect(entry).toEqual({
      id: expect.any(String) as string,
      receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      token: "phone-1",
      message: { token: "phone-1", data: { a: "1" }, android: { ttl: "3600s" } },
    });
  });

  it("stale- gets 404 UNREGISTERED", async () => {
    const { status, body } = await sendTo("stale-1");

    expect([status, readFcmCode(body), listAcceptedTokens()]).toEqual([404, "UNREGISTERED", []]);
  });

  it("invalid- gets 400 INVALID_ARGUMENT", async () => {
    const { status, body } = await sendTo("invalid-1");

    expect([status, readFcmCode(body), listAcceptedTokens()]).toEqual([400, "INVALID_ARGUMENT", []]);
  });

  it("flaky-2- gets 503 UNAVAILABLE twice and is then accepted, for each token separately", async () => {
    const statuses: number[] = [];
    for (const token of ["flaky-2-a", "flaky-2-a", "flaky-2-b", "flaky-2-a", "flaky-2-a"]) {
      statuses.push((await sendTo(token)).status);
    }

    expect(statuses).toEqual([503, 503, 503, 200, 200]);
    expect(listAcceptedTokens()).toEqual(["flaky-2-a", "flaky-2-a"]);
  });

  it("quota-1- gets 429 QUOTA_EXCEEDED with Retry-After 1, and is then accepted", async () => {
    const first = await sendTo("quota-1-a");
    const second = await sendTo("quota-1-a");

    expect([first.status, readFcmCode(first.body), first.headers["retry-after"]]).toEqual([429, "QUOTA_EXCEEDED", "1"]);
    expect(second.status).toBe(200);
  });

  it("slow-500- is accepted after 500 ms, while other pushes are answered", async () => {
    const started = performance.now();
    const answered: string[] = [];
    await Promise.all(["slow-500-a", "phone-1"].map((token) => sendTo(token).then(() => answered.push(token))));

    expect(answered).toEqual(["phone-1", "slow-500-a"]);
    expect(performance.now() - started).toBeGreaterThanOrEqual(499);
    expect(listAcceptedTokens()).toEqual(["phone-1", "slow-500-a"]);
  });

  it("reset-1- is accepted but the connection breaks; the next push is accepted normally", async () => {
    await expect(sendTo("reset-1-a")).rejects.toMatchObject({ code: "ECONNRESET" });
    const second = await sendTo("reset-1-a");

    expect(second.status).toBe(200);
    expect(listAcceptedTokens()).toEqual(["reset-1-a", "reset-1-a"]);
  });

  it.each(["stale", "flaky-x-1", "my-stale-1", "slow-"])("%s, which has no such prefix, is accepted", async (token) => {
    expect((await sendTo(token)).status).toBe(200);
  });
});

describe("the FCM stand-in", () => {
  it.each([
    ["a message without a token", { token: undefined }],
    ["a number in data", { data: { a: 1 } }],
    ["a reserved key in data", { data: { "google.a": "1" } }],
    ["4,097 bytes", { data: { a: "x".repeat(4097) } }],
  ])("answers %s with 400 INVALID_ARGUMENT", async (_name, fields) => {
    const { status, body } = await sendTo("phone-1", fields);

    expect([status, readFcmCode(body)]).toEqual([400, "INVALID_ARGUMENT"]);
  });

  it("answers a request without an access token of the stand-in with 401", async () => {
    const { status, body } = await post("/v1/projects/demo/messages:send", JSON.stringify({ message: { token: "a" } }));

    expect([status, (body["error"] as { status: string }).status]).toEqual([401, "UNAUTHENTICATED"]);
  });

  it("answers an unknown path with 404, without FCM's error code", async () => {
    const { status, body } = await post("/v1/elsewhere", "{}");

    expect([status, readFcmCode(body)]).toEqual([404, undefined]);
  });
});

describe("the token exchange of the FCM stand-in", () => {
  const exchangeToken = (form: Record<string, string>) =>
    post("/token", new URLSearchParams(form).toString(), {}, "oauth2.googleapis.com");
  const grant = { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion: "a.b.c" };

  it("returns an access token that the send endpoint accepts", async () => {
    const { status, body } = await exchangeToken(grant);
    const sent = await post("/v1/projects/demo/messages:send", JSON.stringify({ message: { token: "phone-1" } }), {
      authorization: `Bearer ${String(body["access_token"])}`,
    });

    expect([status, body["expires_in"], body["token_type"], sent.status]).toEqual([200, 3599, "Bearer", 200]);
  });

  it("refuses an invalid signed assertion", async () => {
    const { status, body } = await exchangeToken({ ...grant, assertion: "a" });

    expect([status, body["error"]]).toEqual([400, "invalid_grant"]);
  });

  it("fails if a test requests that", async () => {
    fcm.setMode({ oauth: [{ kind: "refuse", status: 400, code: "invalid_grant", times: 1 }] });
    const refused = await exchangeToken(grant);
    const granted = await exchangeToken(grant);

    expect([refused.status, refused.body["error"], granted.status]).toEqual([400, "invalid_grant", 200]);
  });
});

describe("injected faults of the FCM stand-in", () => {
  it("refuse messages as often as requested, for the given tokens", async () => {
    fcm.setMode({
      send: [{ kind: "refuse", status: 401, code: "THIRD_PARTY_AUTH_ERROR", times: 1, tokenPrefix: "ios-" }],
    });
    const other = await sendTo("android-1");
    const first = await sendTo("ios-1");
    const second = await sendTo("ios-1");

    expect([other.status, first.status, second.status]).toEqual([200, 401, 200]);
    expect(readFcmCode(first.body)).toBe("THIRD_PARTY_AUTH_ERROR");
  });

  it("break the connection without accepting the message", async () => {
    fcm.setMode({ send: [{ kind: "reset", times: 1 }] });

    await expect(sendTo("phone-1")).rejects.toThrow();
    expect(listAcceptedTokens()).toEqual([]);
  });

  it("are set, read and removed over HTTP", async () => {
    const modeUrl = fcm.inboxUrl.replace("/inbox", "/mode");
    const set = await fetch(modeUrl, { method: "PUT", body: '{"send":[{"kind":"refuse","status":503}]}' });
    const during = await sendTo("phone-1");
    const shown: unknown = await (await fetch(modeUrl)).json();
    await fetch(modeUrl, { method: "DELETE" });
    const after = await sendTo("phone-1");
    const wrong = await fetch(modeUrl, { method: "PUT", body: '{"send":[{"kind":"explode"}]}' });

    expect([set.status, during.status, after.status, wrong.status]).toEqual([200, 503, 200, 400]);
    expect(shown).toEqual({ send: [{ kind: "refuse", status: 503 }], oauth: [] });
  });
});

describe("HTTP/2 at the FCM stand-in", () => {
  it('is negotiated, although firebase-admin sends :scheme as "https:", which Node refuses', async () => {
    const session = openSession();
    const answers = await Promise.all(["a", "b", "c"].map((token) => sendOverHttp2(session, token)));
    session.close();

    expect(answers).toEqual([{ status: 200 }, { status: 200 }, { status: 200 }]);
    expect(listAcceptedTokens().toSorted()).toEqual(["a", "b", "c"]);
  });

  it("ends a session by GOAWAY on request", async () => {
    fcm.setMode({ send: [{ kind: "goaway", times: 1 }] });
    const session = openSession();
    const goaway = new Promise<number>((resolve) => {
      session.on("goaway", (code) => resolve(code));
    });

    await expect(sendOverHttp2(session, "a")).rejects.toThrow();
    expect(await goaway).toBe(0);
  });
});

it("the FCM stand-in accepts a slow message even if its sender has disconnected, and continues", async () => {
  const session = openSession();
  const slow = sendOverHttp2(session, "slow-100-h2");
  await new Promise((resolve) => setTimeout(resolve, 50));
  session.destroy();
  await expect(slow).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 100));

  expect((await sendTo("phone-1")).status).toBe(200);
  expect(listAcceptedTokens()).toEqual(["slow-100-h2", "phone-1"]);
});

describe("the count of messages at the FCM stand-in", () => {
  it("is kept for each sending function, and can be reset to zero", async () => {
    await sendTo("phone-1");
    await sendTo("stale-1");
    const counted = fcm.counts();
    fcm.resetCounts();

    expect(counted.total).toBe(2);
    expect(Object.values(counted.byFunction)).toEqual([2]);
    expect(fcm.counts()).toEqual({ total: 0, byFunction: {} });
  });
});

it("the FCM stand-in's inbox can be filtered by a device token", async () => {
  for (const token of ["phone-1", "phone-2", "phone-11"]) await sendTo(token);

  const named = await readInbox(`${fcm.inboxUrl}?token=phone-1`);

  expect(named.map(({ token }) => token)).toEqual(["phone-1"]);
});

it("the FCM stand-in's inbox is emptied by DELETE", async () => {
  await sendTo("phone-1");
  await fetch(fcm.inboxUrl, { method: "DELETE" });

  expect(await readInbox(fcm.inboxUrl)).toEqual([]);
});
