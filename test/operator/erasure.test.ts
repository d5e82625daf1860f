import { beforeEach, describe, expect, it } from "vitest";
import type { DeviceId } from "../../core/domain/basics/ids.ts";
import { createUnreachableNotice } from "../../core/domain/event/notices.ts";
import { createJsonLog } from "../../core/log.ts";
import { createOwnIngest } from "../../core/flow/ingest/ingest-event.ts";
import { verifyTrail } from "../../core/flow/read/verify-trail.ts";
import { listEntries } from "../../core/store/configuration/audit-trail.ts";
import { routes } from "../../interface/routes.ts";
import { erasePerson, exportPerson } from "../../operator/erasure.ts";
import { findCanaries, toItemText, type Canaries } from "../support/canaries.ts";
import { startFilled } from "../support/filled-app.ts";
import { alice, bob, fillWorkspace, outsider } from "../support/people.ts";
import { aStageWithPool } from "./fake-pool.ts";

const lines: string[] = [];
const log = createJsonLog({ write: (line) => lines.push(line), now: () => 0, stage: "test", traceId: () => "1-trace" });
const { app, mine, ask, send } = await startFilled({ log });
const pool = aStageWithPool(app.stand, app.deps);

/** All texts that identify Bob. */
const canaries = {
  name: "Canary Roberts-Ångström",
  email: "canary.roberts@acme.example",
  contact: "canary.private@home.example",
  phone: "+4915199887766",
  token: "canary-token-of-bob-4711",
  device: "Canary's telephone",
  slack: "canary-in-slack",
  invited: "canary.roberts@ACME.example",
} satisfies Canaries;

/** Returns the answers to the owner for every list of the workspace and for its newest events. */
const readAnswers = async (): Promise<string> => {
  const ROOT = "/v1/workspaces/{workspaceId}";
  const lists = routes
    .filter(({ method, path }) => method === "GET" && path.startsWith(ROOT) && !path.slice(ROOT.length).includes("{"))
    .map(({ path }) => path.slice(ROOT.length));
  const { body } = await ask<{ items: { id: string }[] }>("GET", "/events?limit=100");
  const details = body.items.flatMap(({ id }) => ["", "/notifications", "/explain"].map((of) => `/events/${id}${of}`));
  const got = await Promise.all([...lists, ...details].map((path) => ask("GET", path)));
  expect(got.filter(({ status }) => status === 200).length).toBeGreaterThan(20);
  return JSON.stringify(got.map(({ body: one }) => one));
};

const readTable = async (): Promise<string> => (await app.stand.listItems()).map(toItemText).join("\n");
const readEventsAndNotifications = async (as = alice) => {
  const get = async (path: string) => (await ask("GET", path, undefined, as)).body;
  const events = (await get("/events?limit=100")) as { items: { id: string; state: string }[]; total: number };
  const notifications = (await get("/notifications?limit=100")) as { id: string; status: string; createdAt: string }[];
  return {
    total: events.total,
    events: events.items.map(({ id, state }) => [id, state]),
    told: notifications.map(({ id, status, createdAt }) => [id, status, createdAt]),
    statistics: await get("/statistics"),
  };
};

/** Notifies Bob, does everything that a person can do with an event, and lets the service's notices name him. */
const actAsBob = async (): Promise<string> => {
  const person = { userId: bob, name: canaries.name, email: canaries.email };
  await ask("POST", "/members", person);
  const { email: contact, phone } = { email: canaries.contact, phone: canaries.phone };
  const device = await ask<{ id: DeviceId }>(
    "POST",
    "/devices",
    { token: canaries.token, platform: "ios", name: canaries.device },
    bob,
  );
  await ask("POST", "/devices", { email: contact }, bob);
  await ask("POST", "/devices", { phone, ways: ["sms"] }, bob);
  await ask("POST", "/on-call/mine/calendar", {}, bob);
  const other = await fillWorkspace(app, alice, outsider);
  await app.ask(`/v1/workspaces/${other.workspaceId}/invitations`, {
    method: "POST",
    as: alice,
    body: { email: canaries.invited, groupIds: [] },
  });
  await ask("POST", "/slack-account", { token: mine.slackToken }, bob);
  const eventId = await send({ event: "disk.full", title: "Disk full", body: "2 % left" });
  await app.work();
  await ask("POST", `/events/${eventId}/notes`, { text: "I am looking at it." }, bob);
  await ask("POST", `/events/${eventId}/tell`, { userIds: [alice], note: "Please help." }, bob);
  await ask("POST", `/events/${eventId}/snooze`, { minutes: 30 }, bob);
  await app.escalate();
  await ask("POST", "/events/acknowledge", { eventIds: [mine.eventId] }, bob);
  await ask("POST", `/events/${eventId}/resolve`, { note: "Done." }, bob);
  await createOwnIngest(app.deps)({
    workspaceId: mine.workspaceId,
    ...createUnreachableNotice(
      { userId: bob, name: canaries.name },
      { id: device.body.id, registeredAt: "2026-11-21T10:00:00Z" },
    ),
  });
  await app.work();
  await app.tellWebhooks();
  return eventId;
};
const eventId = await actAsBob();

beforeEach(() => {
  pool.add(canaries.email, canaries.name, "CONFIRMED", bob);
});

describe("the data of a person", () => {
  it("is exported completely, without data of others", async () => {
    const exported = (await pool.run(exportPerson, { email: canaries.email })) as { items: { r?: object[] }[] };
    const text = JSON.stringify(exported);
    const states = exported.items.flatMap(({ r }) => (r === undefined ? [] : [r.length]));
    expect(Math.max(...states)).toBe(1);

    const { slack: _, ...own } = canaries;
    expect(findCanaries(text, own).sort()).toEqual(Object.keys(own).sort());
    expect(text).toContain("Disk full");
    expect(text).toContain("I am looking at it.");
    expect(text).not.toContain("owner@acme.example");
  });

  it("consists only of ids after erasure, which changes no statistics and no audit entry, and sends nothing", async () => {
    expect(findCanaries(await readTable(), canaries).length).toBeGreaterThan(5);
    expect(findCanaries(await readAnswers(), canaries).length).toBeGreaterThan(1);
    const before = await readEventsAndNotifications();
    const pushes = app.pushed.length;
    const trail = await listEntries(app.deps, mine.workspaceId, { from: 0, to: app.deps.now() });

    const { left } = (await pool.run(erasePerson, { email: canaries.email })) as { left: string[] };

    expect(findCanaries(await readTable(), canaries)).toEqual([]);
    expect(findCanaries(await readAnswers(), canaries)).toEqual([]);
    expect(left).toEqual([mine.workspaceId]);
    expect([pool.users.size, pool.disabled]).toEqual([0, [canaries.email]]);
    await app.work();
    await app.escalate();
    await app.tellWebhooks();
    expect(app.pushed.length).toBe(pushes);
    expect(await readEventsAndNotifications()).toEqual(before);
    const after = await listEntries(app.deps, mine.workspaceId, { from: 0, to: app.deps.now() });
    expect(after.slice(-trail.length)).toEqual(trail);
    expect((await verifyTrail(app.deps, mine.workspaceId)).faults).toEqual([]);
    expect(lines.length).toBeGreaterThan(0);
    expect(findCanaries(lines.join("\n"), canaries)).toEqual([]);
  });

  it("belongs to a former member without a name after erasure, and other people's actions keep their names", async () => {
    const { body } = await ask<object>("GET", `/events/${eventId}`);

    expect(body).toMatchObject({
      resolvedBy: { id: bob, name: "" },
      note: "Done.",
      notes: [{ by: { id: bob, name: "" }, text: "I am looking at it." }],
    });
    expect(JSON.stringify(body)).toContain("owner@acme.example");
  });

  it("can be searched for by the user id after erasure", async () => {
    expect(await pool.run(erasePerson, { user: bob })).toMatchObject({ left: [], deleted: 0, rewritten: 0, looks: 1 });
  });
});

it("a person is erased completely even if many runs stop, each at a different call", async () => {
  const carol = "usr_ca201000000000000000000000000005";
  const name = "Canary Interrupted";
  pool.add("carol@acme.example", name, "CONFIRMED", carol);
  await ask("POST", "/members", { userId: carol, name, email: "carol@acme.example" });
  await ask("POST", `/groups/${mine.groupId}/members`, { userId: carol });
  await ask("POST", "/devices", { token: "canary-token-of-carol", platform: "ios" }, carol);
  const event = await send({ event: "disk.full", title: "Disk full", body: "2 % left" });
  await app.work();
  await ask("POST", `/events/${event}/notes`, { text: "Seen." }, carol);
  await ask("POST", "/events/acknowledge", { eventIds: [event] }, carol);
  const own = { name, email: "carol@acme.example", token: "canary-token-of-carol" };
  expect(findCanaries(await readTable(), own)).toHaveLength(3);

  let runs = 0;
  let calls = 0;
  // Two runs die at the first call, two at the second, and so on: one before the call, one before its answer.
  const sendUnlessFatal = async (send: () => Promise<unknown>): Promise<unknown> => {
    calls += 1;
    if (calls !== Math.ceil(runs / 2)) return send();
    if (runs % 2 === 0) await send();
    throw new Error("died");
  };
  const runErasure = async (): Promise<string> => {
    runs += 1;
    calls = 0;
    const result = await pool
      .run(erasePerson, { email: "carol@acme.example" }, sendUnlessFatal)
      .catch((error: Error) => error);
    return result instanceof Error ? result.message : "done";
  };
  while ((await runErasure()) === "died") expect(runs).toBeLessThan(400);

  expect(runs).toBeGreaterThan(20);
  expect(pool.users.has("carol@acme.example")).toBe(false);
  expect(findCanaries(await readTable(), own)).toEqual([]);
  expect((await verifyTrail(app.deps, mine.workspaceId)).faults).toEqual([]);
});
