import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { ConnectionInput } from "../../../core/domain/connection/connection.ts";
import { createConnection, testConnection, updateConnection } from "../../../core/flow/admin/connections.ts";
import { createUserGroupMessage } from "../../../core/flow/admin/fill-user-group.ts";
import { readReceiver } from "../../../core/flow/deliver/receivers.ts";
import { queueUserGroupUpdates } from "../../../core/flow/deliver/sync-user-groups.ts";
import { readConnection } from "../../../core/store/delivery/connections.ts";
import { listEventsBetween } from "../../../core/store/events/events.ts";
import { addOverride } from "../../../core/store/schedules/on-call.ts";
import { storeSlackAccount, deleteSlackAccounts } from "../../../core/store/delivery/slack.ts";
import { listFirstMessages, listMessages, readQueue } from "../../../core/store/delivery/delivery-queues.ts";
import { startShadow, endShadow } from "../../../core/store/people/workspaces.ts";
import { NOON } from "../../world/clock.ts";
import { useWorld } from "../../world/use-world.ts";
import type { World, WorldOptions } from "../../world/world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ONCALL = "S0123456789";

const linkAccount = (world: World, person: string, user = `U0${person.toUpperCase()}`) =>
  storeSlackAccount(world.deps, { workspaceId: world.ws, team: "T0TEST", user, name: person }, `usr_${person}`);

/**
 * At noon, Ann is on call until 13:00, and then Bob until 13:00 on the next day. Ann and Bob have linked accounts, and a
 * Slack user group follows who is on call.
 */
const setUp = async (options: WorldOptions = {}, { userGroup = ONCALL, linked = ["ann", "bob"] } = {}) => {
  const world = await useWorld({ start: NOON, ...options });
  const group = await world.group("Duty", ["usr_ann", "usr_bob"]);
  await world.schedule(group, {
    timeZone: "UTC",
    layers: [{ start: "2026-11-20T13:00", every: 1, unit: "day", participants: ["usr_ann", "usr_bob"] }],
  });
  for (const person of linked) await linkAccount(world, person);
  const input = v.parse(ConnectionInput, { name: "on call", kind: "slack_user_group", userGroup, groupIds: [group] });
  return { world, group, connection: await createConnection(world.deps, world.ws, input) };
};

const membersOf = ({ slack }: World, id = ONCALL) => slack.userGroups.get(id)?.join() ?? "";
/** Lists the calls to Slack, each with the seconds since noon and the members. */
const listCalls = ({ slackCalls, start }: World) =>
  slackCalls.map(({ at, body }) => `${Math.floor((at - start) / 1000)} ${String(Reflect.get(body, "users"))}`);
const listFollowed = async ({ deps, ws }: World, { id }: { id: string }) =>
  (await readQueue(deps, { ws, id })).followed;
const listNotices = async ({ deps, ws, start }: World) =>
  (await listEventsBetween(deps, ws, { from: 1, to: 1_000 }))
    .filter(({ content }) => content.eventKey === "service.connection")
    .map(({ content, receivedAt }) => ({ title: content.title, minute: Math.floor((receivedAt - start) / MINUTE) }))
    .reverse();
const addOverrideFor = ({ deps, ws, now }: World, group: string, userId: string, hours: number) =>
  addOverride(deps, ws, group, {
    userId,
    start: new Date(now()).toISOString(),
    end: new Date(now() + hours * HOUR).toISOString(),
  });

describe("a Slack user group of an on-call group", () => {
  it("contains the people on call within a minute after it is connected, and changes at the exact second of a handoff", async () => {
    const { world, connection } = await setUp();
    await world.runFor(MINUTE);
    expect(membersOf(world)).toBe("U0ANN");
    await world.runFor(26 * HOUR);

    const [first, ...later] = listCalls(world);
    expect(first).toMatch(/^\d\d U0ANN$/);
    expect(later).toEqual(["3600 U0BOB", "90000 U0ANN"]);
    expect(await listFollowed(world, connection)).toMatchObject({ userIds: ["usr_ann"], unlinkedIds: [], kept: null });
    expect(await listNotices(world)).toEqual([]);
  });

  it("is not changed during a shadow, queues no updates, and is updated within ten minutes after the shadow", async () => {
    const { world, connection } = await setUp();
    await startShadow(world.deps, world.ws, new Date(world.now() + 48 * HOUR).toISOString());
    await world.runFor(3 * HOUR);
    const during = await listMessages(world.deps, { ws: world.ws, id: connection.id }, { limit: 1 });
    expect([during, membersOf(world)]).toEqual([[], ""]);
    await endShadow(world.deps, world.ws);
    await world.runFor(11 * MINUTE);

    expect(membersOf(world)).toBe("U0BOB");
  });

  it("is updated within ten minutes after a shadow that ends by itself", async () => {
    const { world } = await setUp();
    await startShadow(world.deps, world.ws, new Date(world.now() + 3 * HOUR).toISOString());
    await world.runFor(3 * HOUR + 11 * MINUTE);

    expect(membersOf(world)).toBe("U0BOB");
  });

  it("is not changed during a shadow, even by an update that was waiting before", async () => {
    let down = true;
    const { world } = await setUp({ slack: () => (down ? { kind: "failed", code: "ECONNRESET" } : undefined) });
    await world.runFor(2 * MINUTE);
    await startShadow(world.deps, world.ws, new Date(world.now() + 48 * HOUR).toISOString());
    down = false;
    await world.runFor(3 * HOUR);

    expect(membersOf(world)).toBe("");
  });

  it("changes after an override, after linking or unlinking an account, and after a change of the groups of its connection", async () => {
    const { world, group, connection } = await setUp({}, { linked: ["ann"] });
    await world.runFor(MINUTE);
    await addOverrideFor(world, group, "usr_bob", 24);
    await addOverrideFor(world, group, "usr_ann", 24);
    await world.runFor(2 * MINUTE);
    expect(membersOf(world)).toBe("U0ANN");
    expect(await listFollowed(world, connection)).toMatchObject({ userIds: ["usr_ann"], unlinkedIds: ["usr_bob"] });

    await linkAccount(world, "bob");
    await world.runFor(2 * MINUTE);
    expect(membersOf(world)).toBe("U0ANN,U0BOB");
    await deleteSlackAccounts(world.deps, world.ws, "usr_ann");
    await world.runFor(2 * MINUTE);
    expect(membersOf(world)).toBe("U0BOB");

    await linkAccount(world, "owner");
    const own = await world.group("Owners", ["usr_owner"]);
    await world.schedule(own, {
      timeZone: "UTC",
      layers: [{ start: "2026-11-20T13:00", every: 1, unit: "day", participants: ["usr_owner"] }],
    });
    await updateConnection(world.deps, world.ws, connection, { groupIds: [own] });
    await world.runFor(2 * MINUTE);
    expect(membersOf(world)).toBe("U0OWNER");
  });

  it("keeps its members while nobody is on call, without a call to Slack or a notice", async () => {
    const { world, group, connection } = await setUp();
    await world.runFor(MINUTE);
    await world.schedule(group, { timeZone: "UTC", layers: [] });
    await world.runFor(HOUR);

    expect(listCalls(world)).toHaveLength(1);
    expect(await listFollowed(world, connection)).toMatchObject({ userIds: ["usr_ann"], kept: "nobody_on_call" });
    expect(await listNotices(world)).toEqual([]);
  });

  it("keeps its members if nobody on call has a linked account, notifies the owners once, and is updated after linking", async () => {
    const { world, connection } = await setUp({}, { linked: ["ann"] });
    await world.runFor(2 * HOUR);
    expect(membersOf(world)).toBe("U0ANN");
    expect(await listFollowed(world, connection)).toMatchObject({
      userIds: ["usr_ann"],
      unlinkedIds: ["usr_bob"],
      kept: "nobody_linked",
    });
    expect(await listNotices(world)).toEqual([
      { title: "The user group of on call contains nobody who is on call", minute: 60 },
    ]);
    await linkAccount(world, "bob");
    await world.runFor(2 * MINUTE);

    expect(membersOf(world)).toBe("U0BOB");
    expect(await listFollowed(world, connection)).toMatchObject({ userIds: ["usr_bob"], unlinkedIds: [], kept: null });
  });

  it("is not changed while its connection is paused, and is updated when it is resumed", async () => {
    const { world, connection } = await setUp();
    await world.runFor(MINUTE);
    const paused = await updateConnection(world.deps, world.ws, connection, { paused: true });
    await world.runFor(3 * HOUR);
    const queued = await listFirstMessages(world.deps, { ws: world.ws, id: connection.id }, 1);
    expect([queued, membersOf(world)]).toEqual([[], "U0ANN"]);
    await updateConnection(world.deps, world.ws, paused!, { paused: false });
    await world.runFor(2 * MINUTE);

    expect(membersOf(world)).toBe("U0BOB");
  });

  it("gets no messages about events, unlike a Slack channel", async () => {
    const { world, group } = await setUp();
    await world.runFor(2 * MINUTE);
    await world.rule([group], { requiresAck: true });
    await world.post();
    await world.runFor(5 * MINUTE);

    expect(world.slackCalls.map(({ method }) => method)).toEqual(["usergroups.users.update"]);
  });
});

describe("the delivery queue of a Slack user group", () => {
  it("has two messages at most, of which the second includes all changes after the first", async () => {
    const { world, group, connection } = await setUp();
    const ref = { ws: world.ws, id: connection.id };
    const lengths: number[] = [];
    for (const userId of ["usr_bob", "usr_ann", "usr_bob"]) {
      world.skip(1000);
      await addOverrideFor(world, group, userId, 1);
      await queueUserGroupUpdates(world.deps, world.ws, [connection]);
      lengths.push((await listFirstMessages(world.deps, ref, 10)).length);
    }

    expect(lengths).toEqual([1, 2, 2]);
  });

  it("uses the people on call at the time of the change, even if the worker's clock is behind", async () => {
    const { world, connection } = await setUp();
    const behind = { ...world.deps, now: () => world.start + HOUR - 2000 };

    const receiver = await readReceiver(behind, { ws: world.ws, id: connection.id });
    await receiver?.send(createUserGroupMessage(connection.id, world.start + HOUR));

    expect(membersOf(world)).toBe("U0BOB");
  });
});

describe("a change of a Slack user group that Slack refuses", () => {
  it.each([
    ["S0123450001", "SLACK_NO_SUCH_SUBTEAM", "Connection on call is suspended", "suspendedAt"],
    ["S0123450002", "SLACK_PERMISSION_DENIED", "Connection on call is failing", "due"],
    ["S0123450003", "SLACK_PLAN_UPGRADE_REQUIRED", "Connection on call is failing", "due"],
  ])("is reported to the owners at once: the user group %s, the error %s", async (userGroup, code, title, field) => {
    const { world, connection } = await setUp({}, { userGroup });
    await world.runFor(5 * MINUTE);

    expect(await listNotices(world)).toEqual([{ title, minute: 1 }]);
    const line = await readQueue(world.deps, { ws: world.ws, id: connection.id });
    expect(line).toMatchObject({ failure: { code }, [field]: expect.any(Number) as number });
    expect(line.followed).toBeUndefined();
  });

  it("is reported at once for a missing scope, and made once the app has the scope", async () => {
    const { world } = await setUp();
    world.slack.scopes.delete("usergroups:write");
    await world.runFor(10 * MINUTE);
    expect(await listNotices(world)).toEqual([{ title: "Connection on call is failing", minute: 1 }]);
    world.slack.scopes.add("usergroups:write");
    await world.runFor(6 * MINUTE);

    expect(membersOf(world)).toBe("U0ANN");
  });

  it("because of a guest account is tried four times and reported once, and does not stop the next change", async () => {
    const { world } = await setUp({}, { linked: ["bob"] });
    await linkAccount(world, "ann", "U0GUEST0001");
    await world.runFor(59 * MINUTE);
    expect(listCalls(world)).toHaveLength(4);
    expect(await listNotices(world)).toEqual([{ title: "Connection on call refuses messages", minute: 6 }]);
    await world.runFor(2 * MINUTE);

    expect(membersOf(world)).toBe("U0BOB");
  });

  it("is retried at the time that Slack gives if there were too many calls, and is not reported", async () => {
    let throttled = 0;
    const { world } = await setUp({
      slack: () => {
        throttled += 1;
        if (throttled > 3) return undefined;
        return { kind: "answered", status: 429, body: '{"ok":false,"error":"ratelimited"}', retryAfterMs: 40_000 };
      },
    });
    await world.runFor(10 * MINUTE);

    const times = listCalls(world).map((call) => Number(call.split(" ")[0]));
    expect(times.map((at, index) => at - (times[index - 1] ?? at))).toEqual([0, 50, 50, 50]);
    expect(membersOf(world)).toBe("U0ANN");
    expect(await listNotices(world)).toEqual([]);
  });

  it("is made after an outage, with the current shift, within five minutes of Slack's return", async () => {
    let down = true;
    const { world } = await setUp({ slack: () => (down ? { kind: "failed", code: "ECONNRESET" } : undefined) });
    await world.runFor(90 * MINUTE);
    down = false;
    expect(listCalls(world).at(-1)).toMatch(/ U0BOB$/);
    await world.runFor(6 * MINUTE);

    expect(membersOf(world)).toBe("U0BOB");
    expect((await listNotices(world)).map(({ title }) => title)).toEqual(["Connection on call is failing"]);
  });
});

describe("a test of a Slack user group", () => {
  it("updates the user group at once, and reports the outcome", async () => {
    const { world, connection } = await setUp();
    expect(await testConnection(world.deps, world.ws, connection.id)).toMatchObject({
      delivered: true,
      code: "SLACK_OK",
    });
    expect(membersOf(world)).toBe("U0ANN");
  });

  it("says that nobody is on call, or that nobody on call has a linked account", async () => {
    const { world, group, connection } = await setUp({}, { linked: [] });
    const codes = [(await testConnection(world.deps, world.ws, connection.id))?.code];
    await world.schedule(group, { timeZone: "UTC", layers: [] });
    world.skip(MINUTE);
    codes.push((await testConnection(world.deps, world.ws, connection.id))?.code);

    expect(codes).toEqual(["NOBODY_LINKED", "NOBODY_ON_CALL"]);
    expect(world.slackCalls).toEqual([]);
  });

  it("leaves the user group unchanged during a shadow, and says so", async () => {
    const { world, connection } = await setUp();
    await startShadow(world.deps, world.ws, new Date(world.now() + HOUR).toISOString());

    expect(await testConnection(world.deps, world.ws, connection.id)).toMatchObject({
      delivered: false,
      code: "IN_SHADOW",
    });
    expect(world.slackCalls).toEqual([]);
  });
});

describe("a connection of a Slack user group", () => {
  it.each([
    ["removes its groups", { groupIds: null }, "groupIds"],
    ["names a rule", { ruleIds: ["rule_1"] }, "ruleIds"],
  ])("refuses a change that %s, and accepts its current rules and groups", async (_, patch, field) => {
    const { world, connection } = await setUp();

    await expect(updateConnection(world.deps, world.ws, connection, patch)).rejects.toMatchObject({
      kind: "invalid_input",
      extras: { faults: [{ field }] },
    });
    const { ruleIds, groupIds } = connection;
    const own = await updateConnection(world.deps, world.ws, connection, { ruleIds, groupIds });
    expect(own).toEqual(await readConnection(world.deps, world.ws, connection.id));
    expect(own?.version).toBe(1);
  });

  it("is refused if the user group already has a connection", async () => {
    const { world, group } = await setUp();
    const input = v.parse(ConnectionInput, {
      name: "n",
      kind: "slack_user_group",
      userGroup: ONCALL,
      groupIds: [group],
    });

    await expect(createConnection(world.deps, world.ws, input)).rejects.toMatchObject({
      extras: { faults: [{ field: "userGroup", code: "in_use" }] },
    });
  });
});
