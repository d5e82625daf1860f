import { describe, expect, it } from "vitest";
import { escalateForRecipient } from "../../../../core/flow/respond/respond.ts";
import { parseEventId } from "../../../../core/domain/basics/ids.ts";
import { readEscalation } from "../../../../core/store/events/escalations.ts";
import { callWith, createInterruption } from "../../../world/interruption.ts";
import { useWorld } from "../../../world/use-world.ts";
import { listMarkers, stepTo, type WorldOptions } from "../../../world/world.ts";

const MINUTE = 60_000;
const ann = { id: "usr_ann", name: "Ann" };

/** Ann is notified at first, Bob after 10 minutes, and Cleo after 20 minutes. */
const setUp = async (options: WorldOptions = {}) => {
  const world = await useWorld(options);
  const ops = await world.group("Ops", ["usr_ann"]);
  for (const name of ["usr_bob", "usr_cleo"]) await world.group(name, [name]);
  const escalationPolicyId = await world.policy(["usr_bob", "usr_cleo"].map((userId) => stepTo(userId, 10)));
  await world.rule([ops], { requiresAck: true, escalationPolicyId });
  const { eventId } = await world.post();
  await world.runUntil(world.start + MINUTE);
  const escalate = () => escalateForRecipient(world.deps, world.ws, eventId, ann, { rule: 0, cursor: 0 });
  const listPushes = () => world.pushed.map(({ at, userId }) => `${Math.round((at - world.start) / MINUTE)} ${userId}`);
  return { world, eventId, press: escalate, listPushes };
};

describe("Escalate, pressed by a recipient of an earlier step,", () => {
  it("starts the next step once, and a later request starts no further step", async () => {
    const { world, press, listPushes } = await setUp();

    expect(await press()).toBe("told");
    await world.runFor(MINUTE);
    expect(await press()).toBe("gone on");
    await world.runFor(5 * MINUTE);

    expect(listPushes()).toEqual(["0 usr_ann", "1 usr_bob"]);
  });

  it("does not depend on the step that the escalation of another rule has reached", async () => {
    const { world, eventId: _first } = await setUp();
    const other = await world.policy([stepTo("usr_cleo", 1), stepTo("usr_bob", 60)]);
    await world.rule([await world.group("Net", ["usr_ann"])], { requiresAck: true, escalationPolicyId: other });
    const { eventId } = await world.post();
    await world.runFor(3 * MINUTE);

    const answers = [];
    for (const rule of [0, 1])
      answers.push(await escalateForRecipient(world.deps, world.ws, eventId, ann, { rule, cursor: 0 }));

    expect(answers.toSorted()).toEqual(["gone on", "told"]);
  });

  it("starts the next step once, even if it is pressed again while the first press is processed", async () => {
    const { beforeCall, arm, isArmed } = createInterruption(callWith(":added"));
    const { world, press, listPushes } = await setUp({ beforeCall });
    arm(async () => {
      await press();
      await world.runFor(2000);
    });

    await press();
    await world.runFor(5 * MINUTE);

    expect(isArmed()).toBe(false);
    expect(listPushes()).toEqual(["0 usr_ann", "1 usr_bob"]);
  });

  it("makes the next step due at the time of the first press, even if it is pressed again", async () => {
    const { world, eventId, press } = await setUp();
    const readDueTime = async () =>
      (await readEscalation(world.deps, { ws: world.ws, seq: parseEventId(eventId)!.seq, rule: 0 }))?.next?.due;

    await press();
    const first = await readDueTime();
    const markers = listMarkers(world).length;
    world.skip(2000);
    await press();

    expect(await readDueTime()).toBe(first);
    expect(listMarkers(world)).toHaveLength(markers);
  });
});
