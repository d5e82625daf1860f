import { describe, expect, it } from "vitest";
import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import { SilenceInput } from "../../../core/domain/rules/silence-input.ts";
import { readEventView } from "../../../core/flow/read/read-event.ts";
import { explainEvent } from "../../../core/flow/read/explain-event.ts";
import { pagesKey } from "../../../core/store/keys.ts";
import { createSilence } from "../../../core/store/rules/silences.ts";
import { updateWorkspace } from "../../../core/store/people/workspaces.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, stepTo, type Pushed, type World, type WorldOptions } from "../../world/world.ts";

const MINUTE = 60_000;

/** A world in which Ann is notified of all events for ops, and Bob of all events for web. */
const aWorld = async (limit?: number | null, fields: object = {}, options: WorldOptions = {}) => {
  const world = await useWorld(options);
  const { deps, ws } = world;
  if (limit !== undefined) await updateWorkspace(deps, ws, { loudPerTenMinutes: limit });
  for (const [team, userId] of [
    ["ops", "usr_ann"],
    ["web", "usr_bob"],
  ] as const) {
    const conditions = [{ field: "data.team", operator: "equals", value: team }];
    await world.rule([await world.group(team, [userId])], { name: team, conditions, ...fields });
  }
  return {
    ...world,
    sent: async (count: number, team = "ops", event: object = {}) => {
      const ids: string[] = [];
      for (let index = 0; index < count; index += 1) ids.push((await world.post({ data: { team }, ...event })).eventId);
      await world.work();
      return ids;
    },
  };
};

const isLoud = ({ message }: Pushed): boolean =>
  "apns" in message && message.apns?.payload.aps["interruption-level"] !== "passive";

/** Counts a person's pushes with sound, and the silent pushes. */
const countPushes = ({ pushed }: Pick<World, "pushed">, userId = "usr_ann") => {
  const own = pushed.filter((push) => push.userId === userId);
  return { loud: own.filter(isLoud).length, quiet: own.filter((push) => !isLoud(push)).length };
};

describe("the page limit of a person", () => {
  it("allows ten pages within ten minutes, makes further ones silent, and allows pages again after that", async () => {
    const world = await aWorld();
    await world.sent(30);
    expect(countPushes(world)).toEqual({ loud: 10, quiet: 20 });

    await world.runFor(9 * MINUTE);
    await world.sent(1);
    expect(countPushes(world)).toEqual({ loud: 10, quiet: 21 });

    await world.runFor(MINUTE + 1);
    await world.sent(12);
    expect(countPushes(world)).toEqual({ loud: 20, quiet: 23 });
    expect(listMarkers(world)).toEqual([]);
  });

  it("never allows more pages than the limit within any ten minutes, whenever the events come", async () => {
    const world = await aWorld(4);
    for (let minute = 0; minute < 45; minute += 1) {
      await world.sent([0, 1, 0, 3, 0, 1, 1, 0][minute % 8]!);
      await world.runFor(MINUTE);
    }
    const times = world.pushed.filter(isLoud).map(({ at }) => at);
    const most = Math.max(...times.map((at) => times.filter((one) => one > at - 10 * MINUTE && one <= at).length));
    expect(most).toBe(4);
    expect(countPushes(world).quiet).toBeGreaterThan(0);
  });

  it("lets each silent push replace the previous one on the device; push, notification and explanation name the limit", async () => {
    const world = await aWorld(1);
    const [first] = await world.sent(1);
    const [second, third] = await world.sent(2);
    const { deps, ws } = world;

    const [ring, one, other] = world.pushed.map(({ message }) => message);
    expect(ring).toMatchObject({ notification: { body: "db-1 has 2 % left" } });
    for (const message of [one, other])
      expect(message).toMatchObject({
        notification: { title: "Disk full", body: "Silent, because you got many alerts: db-1 has 2 % left" },
        apns: { headers: { "apns-priority": "5", "apns-collapse-id": `quiet-${ws}` } },
        data: { priority: "NORMAL" },
      });
    expect(one!.data["notificationId"]).not.toBe(other!.data["notificationId"]);
    expect((await readEventView(deps, ws, first!))!.notifications).toMatchObject([{ status: "SENT", quiet: null }]);
    for (const id of [second!, third!]) {
      const view = await readEventView(deps, ws, id);
      expect(view).toMatchObject({ outcome: "delivered", notifications: [{ status: "SENT", quiet: "too_many" }] });
      const why = await explainEvent(deps, ws, id, "usr_ann");
      expect(why).toMatchObject({ told: true, rules: [{ notifications: [{ quiet: "too_many" }] }, {}] });
    }
  });

  it("allows one page beyond the limit if its priority is higher than that of all pages of the last ten minutes", async () => {
    const world = await aWorld(3);
    await world.sent(5);
    await world.sent(2, "ops", { priority: "HIGH" });
    await world.sent(1, "ops", { priority: "URGENT" });
    expect(countPushes(world)).toEqual({ loud: 5, quiet: 3 });
  });

  it("counts the pages of each person separately, whichever rules page that person", async () => {
    const world = await aWorld(6);
    await world.sent(4, "web");
    await world.sent(20);
    await world.sent(8, "web");
    expect(countPushes(world)).toEqual({ loud: 6, quiet: 14 });
    expect(countPushes(world, "usr_bob")).toEqual({ loud: 6, quiet: 6 });
  });

  it("counts a page once if it comes on the boundary of two ten-minute periods", async () => {
    const world = await aWorld(4);
    // Pages are counted in periods from 12:00, 12:10, 12:20; the first events come at 12:10.
    await world.runFor(3 * MINUTE);
    await world.sent(3);
    await world.runFor(15 * MINUTE);
    await world.sent(1, "web");
    await world.sent(1);
    await world.runFor(6 * MINUTE);
    await world.sent(2, "web");
    await world.sent(4);

    expect(countPushes(world)).toEqual({ loud: 7, quiet: 1 });
  });

  it("counts a silenced event at the time when that event notifies, and not when it was sent", async () => {
    const world = await aWorld(2, { requiresAck: true });
    const { deps, ws } = world;
    const endsAt = "2026-11-21T12:30:00Z";
    await createSilence(deps, ws, v.parse(SilenceInput, { name: "Works", eventKey: "job.*", endsAt }));
    await world.sent(1, "ops", { event: "job.failed" });
    await world.runFor(21 * MINUTE);
    await world.sent(2);
    await world.runFor(3 * MINUTE);
    await world.sent(1);
    expect(countPushes(world)).toEqual({ loud: 2, quiet: 2 });

    await world.runFor(8 * MINUTE);
    await world.sent(3);
    expect(countPushes(world)).toEqual({ loud: 4, quiet: 3 });
  });

  it("applies to a silenced event with the value at the time when the event notifies, not when it was sent", async () => {
    const world = await aWorld(1, { requiresAck: true });
    const { deps, ws } = world;
    const endsAt = "2026-11-21T12:30:00Z";
    await createSilence(deps, ws, v.parse(SilenceInput, { name: "Works", eventKey: "job.*", endsAt }));
    await world.sent(2, "ops", { event: "job.failed" });

    await updateWorkspace(deps, ws, { loudPerTenMinutes: 2 });
    await world.runFor(32 * MINUTE);

    expect(countPushes(world)).toEqual({ loud: 2, quiet: 0 });
  });

  it("counts an event once, even if several rules page for it", async () => {
    const world = await aWorld(2);
    await world.rule([await world.group("Again", ["usr_ann"])], { name: "Again" });
    await world.sent(3);
    expect(countPushes(world)).toEqual({ loud: 4, quiet: 2 });
  });

  it("allows every page if it is off, and does not count silent notifications", async () => {
    const off = await aWorld(null);
    await off.sent(30);
    expect(countPushes(off)).toEqual({ loud: 30, quiet: 0 });

    const low = await aWorld(2);
    const ids = await low.sent(8, "ops", { priority: "LOW" });
    const view = await readEventView(low.deps, low.ws, ids.at(-1)!);
    expect(view!.notifications).toMatchObject([{ quiet: null }]);
    await low.sent(2);
    expect(countPushes(low)).toEqual({ loud: 2, quiet: 8 });
  });

  it("counts pages of escalation steps, even long after the event", async () => {
    const world = await aWorld(3, {}, {});
    const groupId = await world.group("Second", ["usr_cyd"]);
    const escalationPolicyId = await world.policy([stepTo(groupId, 25)]);
    await world.rule([await world.group("Dev", ["usr_dan"])], { requiresAck: true, escalationPolicyId });
    await world.sent(7, "dev");
    await world.runFor(30 * MINUTE);
    expect(countPushes(world, "usr_dan")).toEqual({ loud: 3, quiet: 4 });
    expect(countPushes(world, "usr_cyd")).toEqual({ loud: 3, quiet: 4 });
    expect(listMarkers(world)).toEqual([]);
  });

  it("makes an escalation step silent if the pages sent just before it reach the limit, including pages of the same event", async () => {
    const world = await aWorld(2, { enabled: false });
    const groupId = await world.group("All", ["usr_ann"]);
    const escalationPolicyId = await world.policy([stepTo(groupId, 1), stepTo(groupId, 1)]);
    await world.rule([groupId], { requiresAck: true, escalationPolicyId });

    await world.sent(1);
    await world.runFor(5 * MINUTE);

    expect(countPushes(world)).toEqual({ loud: 2, quiet: 1 });
  });

  it("counts separately the pages that the escalation steps of two rules send at the same moment", async () => {
    const world = await aWorld(2, { enabled: false });
    const escalationPolicyId = await world.policy([stepTo(await world.group("All", ["usr_ann"]), 1)]);
    const dev = await world.group("Dev", ["usr_dan"]);
    for (let nr = 0; nr < 2; nr += 1) await world.rule([dev], { requiresAck: true, escalationPolicyId });

    await world.sent(2);
    await world.runFor(2 * MINUTE);

    expect(countPushes(world)).toEqual({ loud: 2, quiet: 2 });
  });

  it("replaces a silent push about an event by the silent push about the event's end", async () => {
    const world = await aWorld(1, { requiresAck: true });
    await world.sent(1);
    await world.sent(1, "ops", { dedupeKey: "k" });
    await world.sent(1, "nobody", { resolves: "k" });
    await world.runFor(MINUTE);
    expect(world.pushed.map(({ message }) => message.data["state"])).toEqual([undefined, undefined, "resolved"]);
    const tags = world.pushed
      .slice(1)
      .map(({ message }) => ("apns" in message ? message.apns?.headers["apns-collapse-id"] : ""));
    expect(new Set(tags)).toEqual(new Set([`quiet-${world.ws}`]));
  });

  it("stores no count of pages for the first events after 21 minutes without events, even if later events exceed the limit", async () => {
    const touched: unknown[] = [];
    const world = await aWorld(
      10,
      {},
      {
        beforeCall: async ({ constructor, input }) => {
          if (input.Key?.pk?.includes("#RUNG#") === true) touched.push(constructor.name);
        },
      },
    );
    for (let round = 0; round < 4; round += 1) {
      await world.sent(10);
      await world.runFor(21 * MINUTE);
    }
    await world.sent(10);
    await world.sent(30);
    expect(touched).toEqual([]);
    await world.runFor(21 * MINUTE);

    await world.sent(5);
    await world.sent(35, "web");
    const written = touched.filter((name) => name === "UpdateCommand").length;
    const key = pagesKey(world.ws, "usr_bob");
    const item = (await world.listItems()).find((one) => isDeepStrictEqual({ pk: one["pk"], sk: one["sk"] }, key));
    // Bob's first five pages are among the first ten events, which are not counted. Silent notifications write nothing, and
    // pages of one batch share a write.
    expect(item!["rung"]).toHaveLength(5);
    expect(written).toBeLessThanOrEqual(5);
  });
});
