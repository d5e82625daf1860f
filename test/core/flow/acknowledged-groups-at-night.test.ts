import { describe, expect, it } from "vitest";
import { toIso } from "../../../core/domain/basics/time.ts";
import { acknowledgeEvents } from "../../../core/flow/respond/lifecycle.ts";
import { explainEvent } from "../../../core/flow/read/explain-event.ts";
import { useWorld } from "../../world/use-world.ts";
import type { Pushed } from "../../world/world.ts";
import { simulate } from "./read/simulating.ts";

const MINUTE = 60_000;
const NIGHT = Date.UTC(2026, 10, 22, 2);
const NOON = Date.UTC(2026, 10, 22, 11);
const ann = { id: "usr_ann", name: "Ann" };

/** The rule requires acknowledgements and groups events by host for 5 minutes. Ben is on call, unless `timeZone` is empty. */
const aWorld = async ({ start = NIGHT, timeZone = "Europe/Berlin", ackMinutes = 0 } = {}) => {
  const world = await useWorld({ start });
  const policy = ackMinutes === 0 ? null : await world.policy([], { ackMinutes });
  const groupId = await world.group("Ops", ["usr_ann", "usr_ben"]);
  if (timeZone !== "") {
    const layer = { start: "2026-11-01T00:00", every: 1, unit: "day", participants: ["usr_ben"] };
    await world.schedule(groupId, { timeZone, layers: [layer] });
  }
  const groups = { groupBy: ["data.host"], groupMinutes: 5 };
  await world.rule([groupId], { requiresAck: true, escalationPolicyId: policy, ...groups });
  return {
    ...world,
    sent: async (fields: object = {}) => {
      world.pushed.splice(0);
      const { eventId } = await world.post({ data: { host: "a" }, ...fields });
      await world.work();
      return eventId;
    },
    acknowledges: () => world.acknowledgeNewest("usr_ann"),
  };
};
type Calm = Awaited<ReturnType<typeof aWorld>>;

const isLoud = ({ message }: Pushed): boolean =>
  "apns" in message && message.apns?.payload.aps["interruption-level"] !== "passive";
const pagedUsers = ({ pushed }: Pick<Calm, "pushed">): string[] =>
  pushed
    .filter(isLoud)
    .map(({ userId }) => userId)
    .toSorted();

const both = ["usr_ann", "usr_ben"];

describe("a person who has acknowledged one event of a group of events at night", () => {
  it("is notified silently of the group's next events for half an hour, while others are paged", async () => {
    const world = await aWorld();
    await world.sent();
    expect(pagedUsers(world)).toEqual(both);
    await world.acknowledges();

    await world.runFor(10 * MINUTE);
    const readQuietAt = async (at: number) => {
      const event = { event: "disk.full", title: "Disk full", body: "db-1", data: { host: "a" } };
      const { rules } = await simulate(world, { event, at: toIso(at) });
      return rules[0]!.recipients.map(({ quiet }) => quiet);
    };
    expect(await readQuietAt(world.now())).toEqual(["acknowledged", null]);
    // A simulation of a past time does not know who had acknowledged then.
    expect(await readQuietAt(world.now() - MINUTE)).toEqual([null, null]);
    const id = await world.sent();
    expect(pagedUsers(world)).toEqual(["usr_ben"]);
    expect(world.pushed).toHaveLength(2);
    const quiet = world.pushed.find(({ userId }) => userId === "usr_ann")!.message;
    expect(quiet.notification?.body).toMatch(/^Silent, because you have acknowledged this group of alerts: /);
    expect(await explainEvent(world.deps, world.ws, id, "usr_ann")).toMatchObject({
      told: true,
      rules: [{ notifications: [{ quiet: "acknowledged" }] }],
    });

    await world.runFor(20 * MINUTE);
    await world.sent();
    expect(pagedUsers(world)).toEqual(both);
  });

  it("is notified silently of the next event even after acknowledging the whole event instead of a notification", async () => {
    const world = await aWorld();
    const id = await world.sent();
    await acknowledgeEvents(world.deps, world.ws, [id], ann);
    await world.runFor(10 * MINUTE);
    await world.sent();

    expect(pagedUsers(world)).toEqual(["usr_ben"]);
  });

  it.each([
    ["for a higher priority", {}, { priority: "HIGH" }],
    ["for another group", {}, { data: { host: "b" } }],
    ["by day", { start: NOON }, {}],
    ["when it is daytime for the person", { timeZone: "America/Los_Angeles", start: NIGHT }, {}],
    ["if no schedule gives the person's time zone", { timeZone: "" }, {}],
  ])("is still paged for the next event %s", async (_, options, fields) => {
    const world = await aWorld(options);
    await world.sent();
    await world.acknowledges();
    await world.runFor(10 * MINUTE);
    await world.sent(fields);

    expect(pagedUsers(world)).toEqual(both);
  });

  it.each<[string, (world: Calm, id: string) => Promise<unknown>]>([
    ["a notification", (world) => world.acknowledges()],
    ["the whole event", ({ deps, ws }, id) => acknowledgeEvents(deps, ws, [id], ann)],
  ])("is paged again when the acknowledgement of %s has ended", async (_, acknowledge) => {
    const world = await aWorld({ ackMinutes: 8 });
    await acknowledge(world, await world.sent());
    await world.runFor(10 * MINUTE);
    await world.sent();

    expect(pagedUsers(world)).toEqual(both);
  });
});
