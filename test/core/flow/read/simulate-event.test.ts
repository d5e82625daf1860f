import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { SilenceInput } from "../../../../core/domain/rules/silence-input.ts";
import { SimulationInput, type Simulation } from "../../../../core/domain/planning/simulation.ts";
import { simulateEvent } from "../../../../core/flow/read/simulate.ts";
import { updateWorkspace } from "../../../../core/store/people/workspaces.ts";
import { createSilence } from "../../../../core/store/rules/silences.ts";
import { useWorld } from "../../../world/use-world.ts";
import { MINUTE, recordingWrites, simulate } from "./simulating.ts";

const setUp = async () => {
  const world = await useWorld(recordingWrites);
  const groupId = await world.group("Duty", ["usr_ann", "usr_bob"], 1);
  await world.group("Spare", ["usr_cyd"], 0);
  await world.schedule(groupId, {
    timeZone: "UTC",
    layers: [{ start: "2026-11-21T00:00", every: 1, unit: "hour", participants: ["usr_ann", "usr_bob"] }],
  });
  const targets = [{ type: "group", groupId }];
  return { world, groupId, targets };
};
const event = { event: "disk.full", title: "Disk full", body: "2 % left" };

describe("a simulation of an event", () => {
  it("says who is notified when, by which channels, and by which rule", async () => {
    const { world, groupId, targets } = await setUp();
    const rule = await world.rule([groupId], { eventKey: "order.*" });

    const answer = await simulate(world, {
      event,
      at: "2026-12-24T13:30:00Z",
      rules: [
        { eventKey: "disk.*", targets, onCallOnly: true, requiresAck: true, escalationPolicyId: "pol_draft" },
        { ...rule, eventKey: "disk.full", name: "Both" },
      ],
      policies: [
        {
          id: "pol_draft",
          name: "Ladder",
          steps: [
            { delayMinutes: 40, targets: [{ type: "group", groupId, onCallOnly: true }] },
            { delayMinutes: 5, targets: [{ type: "user", userId: "usr_cyd" }] },
          ],
        },
      ],
    });

    expect(answer).toMatchObject({
      at: "2026-12-24T13:30:00.000Z",
      outcome: "delivered",
      matchedRules: 2,
      recipients: 2,
    });
    expect(
      answer.rules.map(({ id, name, draft, matches, recipients }) => [
        id,
        name,
        draft,
        matches,
        recipients.map(({ userId }) => userId),
      ]),
    ).toEqual([
      [null, "Draft", "added", true, ["usr_bob"]],
      [rule.id, "Both", "replaced", true, ["usr_ann", "usr_bob"]],
    ]);
    expect(answer.escalations).toMatchObject([
      {
        ruleId: null,
        policy: { id: "pol_draft", name: "Ladder" },
        steps: [
          { step: 1, steps: 2, at: "2026-12-24T14:10:00.000Z", because: "delay", recipients: [{ userId: "usr_ann" }] },
          { step: 2, at: "2026-12-24T14:15:00.000Z", recipients: [{ userId: "usr_cyd", groupId: null }] },
        ],
        stepsIfUnconfirmed: null,
      },
    ]);
    expect(
      answer.people.map(({ userId, firstToldAt, reachable, devices }) => [
        userId,
        firstToldAt.slice(11, 16),
        reachable,
        devices.map(({ platform, by }) => `${platform} ${by}`),
      ]),
    ).toEqual([
      ["usr_bob", "13:30", "unproven", ["ios fcm"]],
      ["usr_ann", "13:30", "unproven", ["ios fcm"]],
      ["usr_cyd", "14:15", "no", []],
    ]);
    expect(world.pushed).toEqual([]);
  });

  it("can use a past event, at that event's time or at another time", async () => {
    const { world, groupId } = await setUp();
    await world.rule([groupId], { onCallOnly: true });
    const posted = await world.post();
    await world.runFor(90 * MINUTE);
    const { eventId } = posted.kind === "created" ? posted : { eventId: "" };

    const then = await simulate(world, { eventId });
    const later = await simulate(world, { eventId, at: "2026-11-21T13:00:00Z" });

    expect(then.people.map(({ userId }) => userId)).toEqual(["usr_ann"]);
    expect(later.people.map(({ userId }) => userId)).toEqual(["usr_bob"]);
  });

  it("says until when a flapping alert would be held back, at the cost of one read", async () => {
    const { world, groupId } = await setUp();
    await world.rule([groupId]);
    const openAlert = () => world.post({ dedupeKey: "db-1" });
    for (let round = 0; round < 2; round += 1) {
      await openAlert();
      await world.post({ event: "disk.ok", resolves: "db-1" });
      await world.runFor(MINUTE);
    }
    const again = { ...event, dedupeKey: "db-1" };
    const held = { outcome: "flapping", flapping: { until: "2026-11-21T12:19:23.456Z", recipients: 2 }, people: [] };
    expect(await simulate(world, { event: again })).toMatchObject(held);
    expect(await simulate(world, { event: { ...again, priority: "URGENT" } })).toMatchObject({ flapping: null });
    expect(await simulate(world, { event: { ...again, dedupeKey: "db-2" } })).toMatchObject({ flapping: null });
    expect(await simulate(world, { event: again, at: "2026-11-21T13:00:00Z" })).toMatchObject({ flapping: null });

    const { eventId } = await openAlert();
    await world.runFor(30 * MINUTE);
    expect(await simulate(world, { eventId })).toMatchObject(held);
  });

  it("names the silence that would suppress the event, and the people whom the silence would leave unnotified", async () => {
    const { world, groupId } = await setUp();
    await world.rule([groupId]);
    const silence = v.parse(SilenceInput, {
      name: "Works",
      eventKey: "*",
      everything: true,
      endsAt: "2026-12-01T00:00:00Z",
    });
    const { id } = await createSilence(world.deps, world.ws, silence);

    expect(await simulate(world, { event })).toMatchObject({
      outcome: "silenced",
      silence: { id, name: "Works", recipients: 2 },
      people: [],
    });
    expect((await simulate(world, { event, at: "2026-12-01T00:00:00Z" })).outcome).toBe("delivered");
  });

  it("does not predict pages for a time in the past", async () => {
    const { world, groupId } = await setUp();
    await updateWorkspace(world.deps, world.ws, { loudPerTenMinutes: 1 });
    await world.rule([groupId]);
    await world.post();
    await world.work();
    const quietOf = ({ rules }: Simulation) => rules[0]!.recipients.map(({ quiet }) => quiet);

    const now = await simulate(world, { event });
    expect([now.ringsKnown, ...quietOf(now)]).toEqual([true, "too_many", "too_many"]);
    let clock = world.now();
    const ticking = { ...world.deps, now: () => (clock += 1) };
    const whileItReads = await simulateEvent(ticking, world.ws, v.parse(SimulationInput, { event }));
    expect([whileItReads.ringsKnown, ...quietOf(whileItReads)]).toEqual([true, "too_many", "too_many"]);
    const later = await simulate(world, { event, at: "2026-11-21T12:18:00Z" });
    expect([later.ringsKnown, ...quietOf(later)]).toEqual([true, null, null]);
    const before = await simulate(world, { event, at: "2026-11-21T11:59:00Z" });
    expect([before.ringsKnown, ...quietOf(before)]).toEqual([false, null, null]);
  });

  it("predicts silent notifications if pages of earlier events have used up the page limit", async () => {
    const { world, groupId } = await setUp();
    await updateWorkspace(world.deps, world.ws, { loudPerTenMinutes: 1 });
    await world.rule([groupId]);
    await world.post();
    await world.runFor(5 * MINUTE);
    await world.post({ priority: "URGENT" });
    await world.work();

    const { rules } = await simulate(world, { event, at: "2026-11-21T12:18:00Z" });

    expect(rules[0]!.recipients.map(({ quiet }) => quiet)).toEqual(["too_many", "too_many"]);
  });

  it("must refer to an existing event, and to existing groups and policies", async () => {
    const { world } = await setUp();
    const targets = [{ type: "group", groupId: "grp_gone" }];
    const simulateInput = (input: object) => simulateEvent(world.deps, world.ws, v.parse(SimulationInput, input));

    await expect(simulateInput({ eventId: "evt_gone" })).rejects.toMatchObject({
      extras: { faults: [{ field: "eventId" }] },
    });
    await expect(
      simulateInput({ event, rules: [{ eventKey: "*", targets, escalationPolicyId: "pol_gone" }] }),
    ).rejects.toMatchObject({
      extras: { faults: [{ field: "rules[0].targets[0].groupId" }, { field: "rules[0].escalationPolicyId" }] },
    });
  });
});
