import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Fcm } from "../../../local/fcm/server.ts";
import { startRedirected } from "../../local/fcm/support.ts";
import { aMessage, aPush, PRIVATE_KEY, serviceAccount } from "./support.ts";

let fcm: Fcm;
beforeAll(async () => {
  fcm = await startRedirected();
});
afterAll(() => fcm.close());
afterEach(() => {
  fcm.setMode({});
  fcm.resetCounts();
});

const minutes = (count: number) => count * 60_000;

describe("the service account", () => {
  it("is read once for many sends", async () => {
    const getServiceAccount = vi.fn(() => Promise.resolve(serviceAccount));
    const push = aPush({ getServiceAccount });

    await Promise.all(["a", "b", "c"].map((token) => push.send(aMessage(token))));
    await push.send(aMessage("d"));

    expect(getServiceAccount).toHaveBeenCalledTimes(1);
    expect(fcm.counts().total).toBe(4);
  });

  it.each([
    ["no JSON", "{"],
    ["no object", "[]"],
    ["without a key", '{"project_id":"demo","client_email":"a@b"}'],
    ["with a broken key", JSON.stringify({ project_id: "demo", client_email: "a@b", private_key: "SECRET-KEY" })],
  ])("that is %s stops the sending", async (_name, text) => {
    const outcome = await aPush({ getServiceAccount: () => Promise.resolve(text) }).send(aMessage("a"));

    expect(outcome).toEqual({ kind: "auth", code: "SERVICE_ACCOUNT_INVALID" });
  });

  it("that cannot be read is tried again by the next send", async () => {
    const getServiceAccount = vi.fn<() => Promise<string>>(() => Promise.resolve(serviceAccount));
    getServiceAccount.mockRejectedValueOnce(new Error("no secrets manager"));
    const push = aPush({ getServiceAccount });

    expect(await push.send(aMessage("a"))).toEqual({ kind: "retry", code: "SERVICE_ACCOUNT_UNAVAILABLE" });
    expect(await push.send(aMessage("a"))).toMatchObject({ kind: "accepted" });
  });

  it("that is never answered for is given up, and read anew", async () => {
    const getServiceAccount = vi.fn<() => Promise<string>>(() => Promise.resolve(serviceAccount));
    getServiceAccount.mockReturnValueOnce(Promise.withResolvers<string>().promise);
    const push = aPush({ getServiceAccount, deadlineMs: 100 });

    expect(await push.send(aMessage("a"))).toEqual({ kind: "retry", code: "CREDENTIALS_TIMEOUT" });
    // A busy machine does not always connect within the deadline.
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

  it("is not read again because of a device of another project", async () => {
    let nowMs = Date.now();
    const getServiceAccount = vi.fn(() => Promise.resolve(serviceAccount));
    const push = aPush({ getServiceAccount, now: () => nowMs });
    await push.send(aMessage("a"));
    nowMs += minutes(2);
    fcm.setMode({ send: [{ kind: "refuse", status: 403, code: "SENDER_ID_MISMATCH" }] });

    await push.send(aMessage("a"));
    await push.send(aMessage("a"));

    expect(getServiceAccount).toHaveBeenCalledTimes(1);
  });
});

describe("the token exchange", () => {
  it("that is down is retry: nothing was sent", async () => {
    fcm.setMode({ oauth: [{ kind: "refuse", status: 503 }] });

    expect(await aPush().send(aMessage("a"))).toMatchObject({ kind: "retry" });
    expect(fcm.counts().total).toBe(0);
  });

  it("that breaks the connection is retry", async () => {
    fcm.setMode({ oauth: [{ kind: "reset" }] });

    expect(await aPush().send(aMessage("a"))).toMatchObject({ kind: "retry" });
  });

  it.each([
    [400, "invalid_grant", "OAUTH_INVALID_GRANT"],
    [401, "invalid_client", "OAUTH_INVALID_CLIENT"],
    [403, "access_denied", "OAUTH_ACCESS_DENIED"],
  ])("that answers %d %s stops the sending", async (status, code, expected) => {
    fcm.setMode({ oauth: [{ kind: "refuse", status, code }] });

    expect(await aPush().send(aMessage("a"))).toEqual({ kind: "auth", code: expected });
  });

  it("that hangs fails the sends that need it, and the next token is asked for anew", async () => {
    fcm.setMode({ oauth: [{ kind: "stall", times: 1 }] });
    const push = aPush({ deadlineMs: 200 });

    const first = await push.send(aMessage("a"));
    await new Promise((resolve) => setTimeout(resolve, 150));

    expect(first).toEqual({ kind: "retry", code: "CREDENTIALS_TIMEOUT" });
    expect(await push.send(aMessage("a"))).toMatchObject({ kind: "accepted" });
  });

  it("that fails while the old token is still good harms nobody", async () => {
    let nowMs = Date.now();
    const push = aPush({ now: () => nowMs });
    await push.send(aMessage("a"));
    fcm.setMode({ oauth: [{ kind: "refuse", status: 400, code: "invalid_grant" }] });

    nowMs += minutes(57);
    const renewing = await push.send(aMessage("a"));
    nowMs += minutes(4);
    const expired = await push.send(aMessage("a"));

    expect(renewing).toMatchObject({ kind: "accepted" });
    expect(expired).toEqual({ kind: "auth", code: "OAUTH_INVALID_GRANT" });
  });
});

it("no outcome holds a part of a token, a key or a message", async () => {
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
