import { describe, expect, it } from "vitest";
import { acknowledgeEvents, resolveEvent } from "../../../core/flow/respond/lifecycle.ts";
import { scheduleHandoff } from "../../../core/flow/respond/acknowledged.ts";
import { acknowledgeUntil } from "../../../core/flow/respond/temporary-ack.ts";
import { notifyMorePeople } from "../../../core/flow/respond/respond.ts";
import { explainNotification } from "../../../core/flow/read/explain-notification.ts";
import { readEventView } from "../../../core/flow/read/read-event.ts";
import { addOverride } from "../../../core/store/schedules/on-call.ts";
import { NOON } from "../../world/clock.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, stepTo, type World } from "../../world/world.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ann = { id: "usr_ann", name: "Ann" };
const bob = { id: "usr_bob", name: "Bob" };

const dailyTurns = (participants: unknown[], fields: object = {}) => ({
  timeZone: "UTC",
  layers: [{ start: "2026-11-20T13:00", every: 1, unit: "day", participants, ...fields }],
});

/** At noon, Ann is on call until 13:00, and then Bob until 13:00 on the next day. */
const setUp = async (
  schedule = dailyTurns(["usr_ann", "usr_bob"]),
  rule: (policy: World["policy"]) => Promise<object> = () => Promise.resolve({}),
) => {
  const world = await useWorld({ start: NOON });
  const group = await world.group("Duty", ["usr_ann", "usr_bob", "usr_cleo"]);
  await world.schedule(group, schedule);
  await world.rule([group], { onCallOnly: true, requiresAck: true, ...(await rule(world.policy)) });
  const { eventId } = await world.post();
  await world.runUntil(world.start + 5 * MINUTE);
  const acknowledge = (by = ann) => acknowledgeEvents(world.deps, world.ws, [eventId], by);
  return { world, group, eventId, acknowledge };
};

const listHandoffs = (world: World) =>
  world.pushed
    .filter(({ message }) => message.notification.title?.startsWith("Handed off"))
    .map(({ at, userId }) => `${Math.round((at - world.start) / MINUTE)} ${userId}`);
const readView = async ({ deps, ws }: World, eventId: string) => (await readEventView(deps, ws, eventId))!;

describe("an acknowledged event", () => {
  it("is reported silently to the next person on call when the acknowledger's shift ends, and stays acknowledged", async () => {
    const { world, eventId, acknowledge } = await setUp();

    await acknowledge();
    await world.runUntil(world.start + 2 * 60 * MINUTE);

    expect(listHandoffs(world)).toEqual(["60 usr_bob"]);
    expect(world.pushed.at(-1)?.message).toMatchObject({
      notification: {
        title: "Handed off: Disk full",
        body: "Ann acknowledged it and is no longer on call. db-1 has 2 % left",
      },
      data: { priority: "LOW", requiresAck: "true" },
    });
    const view = await readView(world, eventId);
    expect(view).toMatchObject({ state: "acknowledged", acknowledgedBy: ann });
    expect(view.notifications).toMatchObject([{}, { priority: "LOW", added: { because: "handed_over", by: ann } }]);
    expect((await explainNotification(world.deps, world.ws, view.notifications[1]!.id))?.why.summary).toContain(
      "because Ann had acknowledged the event and went off call.",
    );
    expect(listMarkers(world)).toEqual([]);
  });

  it("is handed off again, even back to the first person, if it is acknowledged again after the shift change", async () => {
    const { world, acknowledge } = await setUp();
    await acknowledge();
    await world.runUntil(world.start + 70 * MINUTE);

    await world.acknowledgeNewest("usr_bob");
    await world.runUntil(world.start + 3 * DAY);

    expect(listHandoffs(world)).toEqual(["60 usr_bob", "1500 usr_ann"]);
  });

  it("is reported to nobody at the shift change once it is resolved", async () => {
    const { world, eventId, acknowledge } = await setUp();
    await acknowledge();

    await resolveEvent(world.deps, world.ws, eventId, ann, undefined);
    await world.runFor(2 * 60 * MINUTE);

    expect(listHandoffs(world)).toEqual([]);
    expect(listMarkers(world)).toEqual([]);
  });

  it("is reported to nobody at the shift change once its acknowledgement has ended", async () => {
    const { world, eventId, acknowledge } = await setUp(undefined, async (policy) => ({
      escalationPolicyId: await policy([stepTo("usr_cleo", 1440)], { ackMinutes: 10 }),
    }));

    await acknowledge();
    await world.runUntil(world.start + 2 * 60 * MINUTE);

    expect((await readView(world, eventId)).state).toBe("open");
    expect(listHandoffs(world)).toEqual([]);
  });

  it("is not reported at the shift change if somebody else acknowledged it after the person on call", async () => {
    const { world, eventId, acknowledge } = await setUp();
    await acknowledgeUntil(world.deps, world.ws, eventId, ann, world.start + 20 * MINUTE);
    await scheduleHandoff(world.deps, world.ws, eventId, ann, { told: [], rang: [], ends: undefined });
    await world.runUntil(world.start + 25 * MINUTE);

    await acknowledge({ id: "usr_cleo", name: "Cleo" });
    await world.runUntil(world.start + 2 * 60 * MINUTE);

    expect((await readView(world, eventId)).state).toBe("acknowledged");
    expect(listHandoffs(world)).toEqual([]);
  });

  it("is handed off to the next person on call if it was acknowledged again after an acknowledgement had ended", async () => {
    const { world, eventId, acknowledge } = await setUp();
    await acknowledgeUntil(world.deps, world.ws, eventId, ann, world.start + 20 * MINUTE);
    await world.runUntil(world.start + 25 * MINUTE);
    expect((await readView(world, eventId)).state).toBe("open");

    await acknowledge();
    await world.runUntil(world.start + 2 * 60 * MINUTE);

    expect(listHandoffs(world)).toEqual(["60 usr_bob"]);
  });

  it("is reported within a quarter of an hour to a person who takes over the shift", async () => {
    const { world, group, acknowledge } = await setUp();
    await acknowledge();

    await world.runUntil(world.start + 20 * MINUTE);
    const times = { start: "2026-11-21T12:20:00.000Z", end: "2026-11-21T14:00:00.000Z" };
    await addOverride(world.deps, world.ws, group, { userId: "usr_cleo", ...times });
    await world.runUntil(world.start + 3 * 60 * MINUTE);

    expect(listHandoffs(world)).toEqual(["30 usr_cleo"]);
  });

  it("is reported when the next person comes on call, if nobody is on call at first", async () => {
    const office = { restrictions: [{ days: ["sat", "sun", "mon"], from: "10:00", to: "12:30" }] };
    const { world, acknowledge } = await setUp(dailyTurns(["usr_ann", "usr_bob"], office));
    await acknowledge();

    await world.runUntil(world.start + 2 * DAY);

    // 22 hours after the start, it is 10:00 on the next day.
    expect(listHandoffs(world)).toEqual([`${22 * 60} usr_bob`]);
  });

  it("is handed off once if two people have acknowledged it", async () => {
    const { world, acknowledge } = await setUp(dailyTurns([["usr_ann", "usr_bob"], "usr_cleo"]));
    await acknowledge(ann);
    await acknowledge(bob);
    await world.runUntil(world.start + 2 * 60 * MINUTE);

    expect(listHandoffs(world)).toEqual(["60 usr_cleo"]);
  });

  it("is handed off to nobody at the end of a shift if the next person on call has acknowledged it, too", async () => {
    const { world, eventId, acknowledge } = await setUp();
    await acknowledge(ann);
    await notifyMorePeople(world.deps, world.ws, eventId, ann, { userIds: ["usr_bob"], groupIds: [], note: null });
    await world.runFor(MINUTE);

    await world.acknowledgeNewest("usr_bob");
    await world.runUntil(world.start + 2 * 60 * MINUTE);

    expect(listHandoffs(world)).toEqual([]);
  });

  it("is handed off to the next person on call even if somebody had added that person to the event before", async () => {
    const { world, eventId, acknowledge } = await setUp();
    await acknowledge();
    await world.runFor(MINUTE);
    await notifyMorePeople(world.deps, world.ws, eventId, ann, { userIds: ["usr_bob"], groupIds: [], note: null });

    await world.runUntil(world.start + 2 * 60 * MINUTE);

    expect(listHandoffs(world)).toEqual(["60 usr_bob"]);
  });

  it("is handed off at the shift changes of the group that it notified", async () => {
    const { world, acknowledge } = await setUp();
    const other = await world.group("Other", ["usr_ann", "usr_dan"]);
    await world.schedule(other, { ...dailyTurns(["usr_ann", "usr_dan"], { start: "2026-11-20T12:30" }) });

    await acknowledge();
    await world.runUntil(world.start + 2 * 60 * MINUTE);

    expect(listHandoffs(world)).toEqual(["60 usr_bob"]);
  });

  it("is handed off at the end of the acknowledger's own shift if the acknowledger was notified for another group", async () => {
    const world = await useWorld({ start: NOON });
    await world.schedule(await world.group("Duty", ["usr_ann", "usr_bob"]), dailyTurns(["usr_ann", "usr_bob"]));
    await world.rule([await world.group("Experts", ["usr_ann"], 0)], { requiresAck: true });
    await world.post();
    await world.work();

    await world.acknowledgeNewest("usr_ann");
    await world.runUntil(world.start + 2 * 60 * MINUTE);

    expect(listHandoffs(world)).toEqual(["60 usr_bob"]);
  });

  it("is not scheduled for a handoff if the acknowledger is not on call", async () => {
    const { world, acknowledge } = await setUp();

    await acknowledge(bob);

    expect(listMarkers(world)).toEqual([]);
  });
});
