import { describe, expect, it } from "vitest";
import { alice, bob } from "../support/people.ts";
import { startFilled } from "../support/filled-app.ts";

type Key = { id: string; key: string; createdBy: unknown; lastUsedAt: unknown; mayResolve: string };
type Problem = { code: string; detail: string; errors?: { field: string; message: string }[] };

const { app, ask, get, mine } = await startFilled();

const createKey = async (input: object): Promise<Key> => {
  const { status, body } = await ask<Key>("POST", "/api-keys", input);
  expect(status).toBe(201);
  return body;
};
const post = (apiKey: string, event: object) =>
  app.ask<{ eventId: string; code: string; detail: string }>("/v1/events", {
    method: "POST",
    apiKey,
    body: { event: "disk.full", title: "Disk full", body: "2 % left", ...event },
  });
const readEvent = (id: string) => get<{ state: string }>(`/events/${id}`);
const findListedKey = async (id: string) => (await get<Key[]>("/api-keys")).find((one) => one.id === id);

describe("an API key that is limited to certain event keys", () => {
  it("sends only events with these keys; for other events, 403 names the allowed keys", async () => {
    const { key } = await createKey({ name: "Shop", eventKeys: ["order.*", "disk.full"] });

    expect((await post(key, { event: "order.failed" })).status).toBe(201);
    expect((await post(key, {})).status).toBe(201);
    const refused = await post(key, { event: "payment.failed" });
    expect([refused.status, refused.body.code]).toEqual([403, "key_scope"]);
    expect(refused.body.detail).toBe("This API key may send only order.*, disk.full, not payment.failed.");
  });

  it("is refused other event keys, even with a dedupeKey in use or with an Idempotency-Key", async () => {
    const other = await createKey({ name: "All" });
    const { key } = await createKey({ name: "Orders", eventKeys: ["order.*"] });
    await post(other.key, { dedupeKey: "held" });

    expect((await post(key, { dedupeKey: "held" })).status).toBe(403);
    const repeated = await app.ask("/v1/events", {
      method: "POST",
      apiKey: key,
      headers: { "idempotency-key": "once" },
      body: { event: "disk.full", title: "t", body: "b" },
    });
    expect(repeated.status).toBe(403);
  });

  it("is answered with 401 after its deletion, for any event key", async () => {
    const { id, key } = await createKey({ name: "Gone", eventKeys: ["order.*"] });
    await post(key, { event: "order.failed" });
    await ask("DELETE", `/api-keys/${id}`);

    expect((await post(key, { event: "payment.failed" })).status).toBe(401);
    expect((await post(key, { event: "order.failed" })).status).toBe(401);
  });

  it("cannot send other event keys by the messages of a tool", async () => {
    const { key } = await createKey({ name: "Orders only", eventKeys: ["order.*"] });

    const { status } = await app.ask("/v1/events/from/uptime-kuma", {
      method: "POST",
      apiKey: key,
      body: { heartbeat: { status: 0, msg: "down" }, monitor: { name: "Shop", id: 1 }, msg: "down" },
    });

    expect(status).toBe(403);
  });
});

describe("the event keys heartbeat.*", () => {
  it("are reserved for the service: any sender gets 422", async () => {
    const { key } = await createKey({ name: "Any" });

    const { status, body } = await app.ask<Problem>("/v1/events", {
      method: "POST",
      apiKey: key,
      body: { event: "heartbeat.missed", title: "t", body: "b" },
    });

    expect([status, body.errors?.map(({ field }) => field)]).toEqual([422, ["event"]]);
    expect(body.errors?.[0]?.message).toContain("is reserved for missed heartbeats");
  });

  it("may be named by a rule, and used in a dry run", async () => {
    const event = { event: "heartbeat.missed", title: "t", body: "b" };

    const { status } = await ask("POST", "/routing-rules/test", { event });

    expect(status).toBe(200);
  });
});

describe("the events that a resolving event ends", () => {
  const resolveWithOtherKey = async (mine: object, others: object, dedupeKey: string) => {
    const [victim, sender] = [await createKey(mine), await createKey(others)];
    const { body } = await post(victim.key, { dedupeKey, requiresAck: true });
    await app.work();
    await post(sender.key, { title: "Over", resolves: dedupeKey });
    await app.work();
    return (await readEvent(body.eventId)).state;
  };

  it("are the events sent with the same API key", async () => {
    const { key } = await createKey({ name: "Disks" });
    const { body } = await post(key, { dedupeKey: "own", requiresAck: true });
    await app.work();
    await post(key, { title: "Over", resolves: "own" });
    await app.work();

    expect((await readEvent(body.eventId)).state).toBe("resolved");
  });

  it("are not events of another API key, whose dedupeKey stays in use", async () => {
    expect(await resolveWithOtherKey({ name: "Disks" }, { name: "Other" }, "foreign")).not.toBe("resolved");
    const { key } = await createKey({ name: "Disks" });
    expect((await post(key, { dedupeKey: "foreign" })).status).toBe(200);
  });

  it("include events of an API key with the same name, so that a key can be replaced", async () => {
    expect(await resolveWithOtherKey({ name: "Twins" }, { name: "Twins" }, "twins")).toBe("resolved");
  });

  it("include events of all API keys if the resolving key may resolve any event", async () => {
    expect(await resolveWithOtherKey({ name: "Disks" }, { name: "Closer", mayResolve: "any" }, "any")).toBe("resolved");
  });

  it("do not include a later alert of another API key, even if it has the same id", async () => {
    const [victim, attacker] = [await createKey({ name: "Prometheus" }), await createKey({ name: "Intruder" })];
    const createAlert = (status: string, times: object) => ({
      status,
      alerts: [{ status, labels: { alertname: "Down" }, annotations: {}, fingerprint: "f1", ...times }],
    });
    const send = (apiKey: string, body: object) =>
      app.ask<{ events: { eventId: string }[] }>("/v1/events/from/alertmanager", { method: "POST", apiKey, body });
    const now = new Date(app.deps.now()).toISOString();
    const before = new Date(app.deps.now() - 60_000).toISOString();

    await send(attacker.key, createAlert("resolved", { startsAt: before, endsAt: now }));
    const { body } = await send(victim.key, createAlert("firing", { startsAt: before }));
    await app.work();

    expect((await readEvent(body.events[0]!.eventId)).state).not.toBe("resolved");
  });
});

describe("an API key in the list of keys", () => {
  it("names its creator", async () => {
    const { id } = await createKey({ name: "Made" });

    expect((await findListedKey(id))?.createdBy).toEqual({ id: alice, name: "Owner" });
  });

  it("says on which day it was last used, with one write a day", async () => {
    const { id, key } = await createKey({ name: "Used" });
    expect((await findListedKey(id))?.lastUsedAt).toBeNull();

    const first = new Date(app.deps.now()).toISOString();
    await post(key, {});
    const used = (await findListedKey(id))?.lastUsedAt;
    app.advance(1000);
    await post(key, {});
    expect([(await findListedKey(id))?.lastUsedAt, String(used).slice(0, 10)]).toEqual([used, first.slice(0, 10)]);

    app.advance(24 * 3_600_000);
    await post(key, {});
    expect(String((await findListedKey(id))?.lastUsedAt) > String(used)).toBe(true);
  });
});

describe("an API key that expires", () => {
  it("is answered with 401 everywhere once it has expired, and its expiry cannot be postponed", async () => {
    const expiresAt = new Date(app.deps.now() + 60_000).toISOString();
    const { key } = await createKey({ name: "Short", expiresAt });
    const readPingStatus = async () => (await app.ask("/v1/events/ping", { apiKey: key })).status;

    expect([(await post(key, {})).status, await readPingStatus()]).toEqual([201, 200]);
    app.advance(61_000);
    expect([(await post(key, {})).status, await readPingStatus()]).toEqual([401, 401]);
    const longer = key.replace(/_0[0-9a-z]{7}_/, "_").replace(/_0[0-9a-z]{6}_/, "_");
    expect((await post(longer, {})).status).toBe(401);
  });

  it("must expire in the future", async () => {
    const expiresAt = new Date(app.deps.now() - 1000).toISOString();
    const { status } = await ask("POST", "/api-keys", { name: "n", expiresAt });

    expect(status).toBe(422);
  });
});

describe("a person whose device somebody else registers", () => {
  it("gets one notice on their other devices, and the new owner gets none", async () => {
    await ask("DELETE", `/devices/${mine.deviceId}`);
    const register = (as: string, token: string) => ask("POST", "/devices", { token, platform: "ios" }, as);
    await register(alice, "shared-phone");
    await register(alice, "own-phone");
    await app.work();
    const before = app.pushed.length;

    await register(bob, "shared-phone");
    await register(bob, "shared-phone");
    await app.work();

    const notified = app.pushed.slice(before);
    expect(notified.map((message) => JSON.stringify(message))).toEqual([
      expect.stringContaining("Your phone now belongs to somebody else"),
    ]);
    expect(JSON.stringify(notified)).toContain('"token":"own-phone"');
    const { items } = await get<{ items: unknown[] }>("/events?eventKey=service.device");
    expect(items).toHaveLength(1);
  });
});
