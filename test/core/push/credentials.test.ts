import { getApps } from "firebase-admin/app";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Fcm } from "../../../local/fcm/server.ts";
import { startFcmForThisProcess } from "../../local/fcm/support.ts";
import type { SetTimer } from "../../../core/push/time-limit.ts";
import { aMessage, aPush, PRIVATE_KEY, serviceAccount } from "./support.ts";

let fcm: Fcm;
beforeAll(async () => {
  fcm = await startFcmForThisProcess();
});
afterAll(() => fcm.close());
afterEach(() => {
  fcm.setMode({});
  fcm.resetCounts();
});

const minutes = (count: number) => count * 60_000;

describe("the FCM service account", () => {
  it("is read once for many sends", async () => {
    const getServiceAccount = vi.fn(() => Promise.resolve(serviceAccount));
    const push = aPush({ getServiceAccount });

    await Promise.all(["a", "b", "c"].map((token) => push.send(aMessage(token))));
    await push.send(aMessage("d"));

    expect(getServiceAccount).toHaveBeenCalledTimes(1);
    expect(fcm.counts().total).toBe(4);
  });

  it.each([
    ["is not JSON", "{"],
    ["is not an object", "[]"],
    ["has no key", '{"project_id":"demo","client_email":"a@b"}'],
    ["has a broken key", JSON.stringify({ project_id: "demo", client_email: "a@b", private_key: "SECRET-KEY" })],
  ])("that %s makes each send fail", async (_name, text) => {
    const outcome = await aPush({ getServiceAccount: () => Promise.resolve(text) }).send(aMessage("a"));

    expect(outcome).toEqual({ kind: "auth", code: "SERVICE_ACCOUNT_INVALID" });
  });

  it("is read again by the next send if it could not be read", async () => {
    const getServiceAccount = vi.fn<() => Promise<string>>(() => Promise.resolve(serviceAccount));
    getServiceAccount.mockRejectedValueOnce(new Error("no secrets manager"));
    const push = aPush({ getServiceAccount });

    expect(await push.send(aMessage("a"))).toEqual({ kind: "retry", code: "SERVICE_ACCOUNT_UNAVAILABLE" });
    expect(await push.send(aMessage("a"))).toMatchObject({ kind: "accepted" });
  });

  it("is read again if the first read is never answered", async () => {
    const getServiceAccount = vi.fn<() => Promise<string>>(() => Promise.resolve(serviceAccount));
    getServiceAccount.mockReturnValueOnce(Promise.withResolvers<string>().promise);
    const push = aPush({ getServiceAccount, deadlineMs: 100 });

    expect(await push.send(aMessage("a"))).toEqual({ kind: "retry", code: "CREDENTIALS_TIMEOUT" });
    // The send is repeated, because a busy machine does not always connect within the deadline.
    await expect.poll(() => push.send(aMessage("a"))).toMatchObject({ kind: "accepted" });
  });

  it("is read again a minute after it was refused, because it may have been replaced", async () => {
    let nowMs = Date.now();
    const getServiceAccount = vi.fn(() => Promise.resolve("{}"));
    const push = aPush({ getServiceAccount, now: () => nowMs });

    await push.send(aMessage("a"));
    await push.send(aMessage("a"));
    const soon = getServiceAccount.mock.calls.length;
    nowMs += minutes(1);
    await push.send(aMessage("a"));
    getServiceAccount.mockResolvedValue(serviceAccount);
    const outcome = await push.send(aMessage("a"));

    expect(soon).toBe(1);
    expect(outcome).toMatchObject({ kind: "accepted" });
  });

  it.each([
    ["a device of another project", 403, "SENDER_ID_MISMATCH"],
    ["Apple's key at FCM, which is not ours", 401, "THIRD_PARTY_AUTH_ERROR"],
    ["a message that is refused", 400, "INVALID_ARGUMENT"],
    ["an unregistered phone", 404, "UNREGISTERED"],
  ])("is not read again after FCM's error about %s", async (_, status, code) => {
    let nowMs = Date.now();
    const getServiceAccount = vi.fn(() => Promise.resolve(serviceAccount));
    const push = aPush({ getServiceAccount, now: () => nowMs });
    await push.send(aMessage("a"));
    nowMs += minutes(2);
    fcm.setMode({ send: [{ kind: "refuse", status, code }] });

    await push.send(aMessage("a"));
    await push.send(aMessage("a"));

    expect(getServiceAccount).toHaveBeenCalledTimes(1);
  });
});

describe("a device of another Firebase project", () => {
  const iso = (ms: number) => new Date(ms).toISOString();
  const mismatch = "SENDER_ID_MISMATCH";

  it("is recognised only after FCM has accepted a push of our own project, which proves the service account", async () => {
    const push = aPush();

    const alone = await push.send(aMessage("foreign-a"));
    await push.send(aMessage("phone"));
    const besideAnother = await push.send(aMessage("foreign-a"));

    expect(alone).toEqual({ kind: "foreign", code: mismatch, proven: false });
    expect(besideAnother).toEqual({ kind: "foreign", code: mismatch, proven: true });
  });

  it("causes the service account to be read again if the device registered after the last read", async () => {
    let nowMs = Date.now();
    const getServiceAccount = vi.fn(() => Promise.resolve(serviceAccount));
    const push = aPush({ getServiceAccount, now: () => nowMs });
    await push.send(aMessage("phone"));
    nowMs += minutes(2);
    const device = { createdAt: iso(nowMs - minutes(1)), registeredAt: iso(nowMs - minutes(1)) };

    const same = await push.send(aMessage("foreign-a"), device);
    const reads = getServiceAccount.mock.calls.length;
    const clients = getApps().length;
    getServiceAccount.mockResolvedValue(serviceAccount.replace('"demo"', '"successor"'));
    nowMs += minutes(2);
    const later = { createdAt: device.createdAt, registeredAt: iso(nowMs - 1) };
    const replaced = await push.send(aMessage("foreign-a"), later);

    expect([same, reads]).toEqual([{ kind: "foreign", code: mismatch, proven: true }, 2]);
    expect(replaced).toEqual({ kind: "auth", code: mismatch });
    expect(await push.send(aMessage("phone"), later)).toMatchObject({
      kind: "accepted",
      messageId: expect.stringContaining("projects/successor/"),
    });
    // The client of the replaced service account is closed.
    expect(getApps()).toHaveLength(clients);
  });

  it.each([
    ["the service account cannot be read again", () => Promise.reject(new Error("no secrets manager"))],
    ["the second read of the service account is never answered", () => Promise.withResolvers<string>().promise],
  ])("is not recognised while %s", async (_, answer) => {
    const getServiceAccount = vi.fn<() => Promise<string>>(() => Promise.resolve(serviceAccount));
    const push = aPush({ getServiceAccount, deadlineMs: 300 });
    await expect.poll(() => push.send(aMessage("phone"))).toMatchObject({ kind: "accepted" });
    getServiceAccount.mockImplementation(answer);
    const device = { createdAt: iso(0), registeredAt: iso(Date.now() + 1000) };

    expect(await push.send(aMessage("foreign-a"), device)).toEqual({ kind: "auth", code: mismatch });
  });
});

describe("an FCM request that ends after the deadline", () => {
  /** A deadline that a test can trigger: the last one-minute timer that a send sets. */
  const aDeadline = () => {
    let pass = (): void => undefined;
    const after: SetTimer = (ms, run) => {
      if (ms === minutes(1)) pass = run;
      return () => undefined;
    };
    return { pass: () => pass(), options: { after, deadlineMs: minutes(1) } };
  };

  it("sends nothing if the access token comes too late", async () => {
    const deadline = aDeadline();
    const account = Promise.withResolvers<string>();
    const push = aPush({ ...deadline.options, getServiceAccount: () => account.promise });
    const sending = push.send(aMessage("a"));

    deadline.pass();
    expect(await sending).toEqual({ kind: "retry", code: "DEADLINE" });
    account.resolve(serviceAccount);
    await vi.waitUntil(() => push.prepare());
    await new Promise((resolve) => setTimeout(resolve, 20));

    expect(fcm.counts().total).toBe(0);
  });

  it("is retried if the deadline passes while the service account is read again after FCM's refusal", async () => {
    const deadline = aDeadline();
    const getServiceAccount = vi.fn<() => Promise<string>>(() => Promise.resolve(serviceAccount));
    const push = aPush({ ...deadline.options, getServiceAccount });
    await push.prepare();
    getServiceAccount.mockImplementation(() => {
      deadline.pass();
      return Promise.withResolvers<string>().promise;
    });
    const device = { createdAt: "2020-01-01T00:00:00.000Z", registeredAt: new Date(Date.now() + 1000).toISOString() };

    expect(await push.send(aMessage("foreign-a"), device)).toEqual({ kind: "retry", code: "DEADLINE" });
  });
});

describe("the credentials that a push needs", () => {
  it("are read in advance, so that the send itself reads nothing", async () => {
    const getServiceAccount = vi.fn(() => Promise.resolve(serviceAccount));
    const push = aPush({ getServiceAccount });

    const isReady = await push.prepare();
    fcm.setMode({ oauth: [{ kind: "refuse", status: 503 }] });

    expect([isReady, getServiceAccount.mock.calls.length]).toEqual([true, 1]);
    expect(await push.send(aMessage("a"))).toMatchObject({ kind: "accepted" });
    expect(getServiceAccount).toHaveBeenCalledTimes(1);
  });

  it("count as not ready if the service account cannot be read, but as ready if it is invalid", async () => {
    const unread = aPush({ getServiceAccount: () => Promise.reject(new Error("no secrets manager")) });
    const mute = aPush({ getServiceAccount: () => Promise.withResolvers<string>().promise, deadlineMs: 100 });
    const refused = aPush({ getServiceAccount: () => Promise.resolve("{}") });

    const ready = await Promise.all([unread, mute, refused].map(({ prepare }) => prepare()));

    expect(ready).toEqual([false, false, true]);
  });
});

describe("the exchange of the FCM token", () => {
  it("is retried if the token server is unavailable, because nothing was sent", async () => {
    fcm.setMode({ oauth: [{ kind: "refuse", status: 503 }] });

    expect(await aPush().send(aMessage("a"))).toMatchObject({ kind: "retry" });
    expect(fcm.counts().total).toBe(0);
  });

  it("is retried if the connection breaks", async () => {
    fcm.setMode({ oauth: [{ kind: "reset" }] });

    expect(await aPush().send(aMessage("a"))).toMatchObject({ kind: "retry" });
  });

  it("makes each send fail if it is refused", async () => {
    fcm.setMode({ oauth: [{ kind: "refuse", status: 400, code: "invalid_grant" }] });

    expect(await aPush().send(aMessage("a"))).toEqual({ kind: "auth", code: "OAUTH_INVALID_GRANT" });
  });

  it("makes the waiting sends fail if it is never answered, and the next send requests another token", async () => {
    fcm.setMode({ oauth: [{ kind: "stall", times: 1 }] });
    const push = aPush({ deadlineMs: 200 });

    const first = await push.send(aMessage("a"));
    await new Promise((resolve) => setTimeout(resolve, 150));

    expect(first).toEqual({ kind: "retry", code: "CREDENTIALS_TIMEOUT" });
    expect(await push.send(aMessage("a"))).toMatchObject({ kind: "accepted" });
  });
});

it("no push outcome contains a part of a token, a key or a message", async () => {
  fcm.setMode({ send: [{ kind: "refuse", status: 401, tokenPrefix: "auth-" }] });
  const push = aPush();
  const tokens = [
    "stale-CANARY",
    "invalid-CANARY",
    "flaky-1-CANARY",
    "quota-1-CANARY",
    "reset-1-CANARY",
    "auth-CANARY",
  ];

  const outcomes = await Promise.all(tokens.map((token) => push.send(aMessage(token, { title: "CANARY" }))));
  fcm.setMode({ oauth: [{ kind: "refuse", status: 400, code: "invalid_grant" }] });
  outcomes.push(await aPush().send(aMessage("CANARY")));

  const text = JSON.stringify(outcomes);
  expect(text).not.toMatch(/CANARY|Bearer|local-fcm|BEGIN/);
  expect(text).not.toContain(PRIVATE_KEY.split("\n")[1]);
});
