import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { REPEATS, type Marker } from "../../core/domain/event/marker.ts";
import { putMarker, removeMarker } from "../../core/store/events/markers.ts";
import { storePlanOnce } from "../../core/store/events/progress.ts";
import { SilenceInput } from "../../core/domain/rules/silence-input.ts";
import { createSilence } from "../../core/store/rules/silences.ts";
import { readLedger } from "../../operator/ledger.ts";
import { toPush } from "../support/push.ts";
import { createWorld, stepTo } from "../world/world.ts";

/** Posts an event for Ann, whose phone accepts the push, and Bob, who has no phone; after five minutes, a step notifies Bob. */
const anEvent = async () => {
  const world = await createWorld();
  const ops = await world.group("Ops", ["usr_ann"]);
  const lead = await world.group("Lead", ["usr_bob"], 0);
  const policy = await world.policy([stepTo(lead, 5)]);
  await world.rule([ops, lead], { name: "Disks", requiresAck: true, escalationPolicyId: policy });
  const { eventId } = (await world.post()) as { eventId: string };
  return { world, eventId, read: () => readLedger(world.deps, world.ws, eventId) };
};

const head = { number: 1, receivedAt: "2026-11-21T12:07:23.456Z", eventKey: "disk.full", title: "Disk full" };

describe("the operator's report on an event's notifications", () => {
  it("shows, before the event is matched, what is still to be done", async () => {
    const { eventId, read } = await anEvent();

    expect(await read()).toEqual({
      event: { id: eventId, ...head, rulesVersion: 2, peopleVersion: 10 },
      plannedAt: null,
      rules: [],
      packs: [],
      recipients: { recipients: 0, told: 0, failed: 0, silenced: 0, pending: 0, faults: [] },
      unfinished: [{ work: "event", since: "2026-11-21T12:07:23.456Z", nextTry: "2026-11-21T12:08:08.456Z", tries: 0 }],
    });
  });

  it("shows whom each rule notifies, the outcome on each device, and the next step", async () => {
    const { world, read } = await anEvent();
    await world.work();

    const { rules, packs, ...rest } = await read();

    expect(rules).toMatchObject([
      {
        name: "Disks",
        recipients: ["usr_ann", "usr_bob"],
        unreached: [],
        escalation: { policy: "Ladder", acknowledged: false, lastStep: 0, nextAt: "2026-11-21T12:12:23.456Z" },
      },
    ]);
    expect(packs).toMatchObject([
      {
        rule: rules[0]!.id,
        priority: "NORMAL",
        heldUntil: null,
        notifications: [
          { userId: "usr_ann", status: "SENT", failedReason: null },
          { userId: "usr_bob", devices: {} },
        ],
      },
    ]);
    const [ann, bob] = packs[0]!.notifications;
    expect(Object.values(ann!.devices)).toEqual([{ outcome: "accepted", tries: 1, unknowns: 0 }]);
    expect(bob).toMatchObject({ status: "FAILED", failedReason: "No registered devices for user" });
    expect(rest).toMatchObject({
      plannedAt: "2026-11-21T12:07:23.456Z",
      recipients: { recipients: 2, told: 1, failed: 1, silenced: 0, pending: 0, faults: [] },
      unfinished: [{ work: "escalation of rule 0, step 1", nextTry: "2026-11-21T12:12:23.456Z" }],
    });
  });

  it("shows after the last step that nothing is left to do", async () => {
    const { world, read } = await anEvent();
    await world.runFor(6 * 60_000);

    expect(await read()).toMatchObject({
      rules: [{ escalation: { lastStep: 1, nextAt: null } }],
      recipients: { recipients: 3, told: 1, failed: 2, pending: 0, faults: [] },
      unfinished: [],
    });
  });

  it("names each kind of work that is still to be done, and no work on other events", async () => {
    const { world, eventId, read } = await anEvent();
    await world.work();
    const marker = { ws: world.ws, eventId, since: 0, tries: 2, due: 45_000 };
    const until = 60_000;
    const works: [fields: Partial<Marker>, work: string][] = [
      [{ part: 7 }, "part 7 of the plan"],
      [{ part: REPEATS }, "repeats of the event"],
      [{ ring: { packId: "pck_1" } }, "next notification step of pack pck_1"],
      [{ hand: { userId: "usr_ann", name: "Ann", at: 0, groupIds: [] } }, "handoff by usr_ann"],
      [{ term: { work: "ask", until } }, "question before the end of an acknowledgement"],
      [{ term: { work: "end", until } }, "end of an acknowledgement"],
    ];
    for (const [fields] of works) await putMarker(world.deps, { ...marker, ...fields });
    await putMarker(world.deps, { ...marker, ws: "ws_other" });
    await putMarker(world.deps, { ...marker, eventId: "evt_000000002u0000000000" });

    const { unfinished } = await read();

    const times = { since: "1970-01-01T00:00:00.000Z", nextTry: "1970-01-01T00:00:45.000Z", tries: 2 };
    const expected = works.map(([, work]) => ({ work, ...times }));
    expect(unfinished).toHaveLength(expected.length + 1);
    expect(unfinished).toEqual(
      expect.arrayContaining([...expected, expect.objectContaining({ work: "escalation of rule 0, step 1" })]),
    );
  });

  it("shows the marker of an event that was never stored, and shows nothing for an unknown event", async () => {
    const { world } = await anEvent();
    const eventId = "evt_000000002u0000000000";
    await expect(readLedger(world.deps, world.ws, eventId)).rejects.toThrow(
      `The workspace ${world.ws} has no event ${eventId}.`,
    );
    await putMarker(world.deps, { ws: world.ws, eventId, since: 0, tries: 1, due: 45_000 });

    expect(await readLedger(world.deps, world.ws, eventId)).toMatchObject({
      event: null,
      plannedAt: null,
      rules: [],
      packs: [],
      unfinished: [{ work: "event", tries: 1 }],
    });
  });

  it.each([
    ["a silence", { silence: { id: "sil_1", name: "Release", recipients: 0 } }, "sil_1"],
    ["its flapping", { flapping: { until: 0, held: [0] } }, "its flapping"],
  ])("reports a fault if notifications are planned for an event that is held back by %s", async (_, held, holder) => {
    const { world, eventId, read } = await anEvent();
    const how = { priority: "HIGH", priorityFrom: "event", requiresAck: false } as const;
    const rule = { id: "rule_1", version: 1, name: "Disks" };
    const rules = [{ rule, ...how, recipients: [{ userId: "usr_ann", reason: {} }] }];
    const plan = { rulesVersion: 1, peopleVersion: 1, at: 0, rules, ...held };
    await storePlanOnce(world.deps, { workspaceId: world.ws, eventId }, plan, { notifications: 1, needsAck: false });

    const faults = [`1 notifications are planned although ${holder} holds the event back`];
    expect((await read()).recipients).toMatchObject({ pending: 1, faults });
  });

  it("shows when the lease of a pack ends, and reports pending recipients for whom no work is left", async () => {
    const seen: Awaited<ReturnType<typeof readLedger>>[] = [];
    const world = await createWorld({
      push: toPush(async () => {
        const before = await readLedger(world.deps, world.ws, eventId);
        await removeMarker(world.deps, { ws: world.ws, eventId, due: Date.parse(before.unfinished[0]!.nextTry) });
        seen.push(before, await readLedger(world.deps, world.ws, eventId));
        return { kind: "accepted", messageId: "fcm-1" };
      }),
    });
    await world.rule([await world.group("Ops", ["usr_ann"])]);
    const { eventId } = (await world.post()) as { eventId: string };
    await world.work();

    const fault = "1 recipients are pending, but the work is finished";
    expect(seen).toMatchObject([
      {
        packs: [{ heldUntil: "2026-11-21T12:08:03.456Z" }],
        recipients: { recipients: 1, pending: 1, faults: [] },
        unfinished: [{ work: "event" }],
      },
      { recipients: { recipients: 1, pending: 1, faults: [fault] }, unfinished: [] },
    ]);
  });

  it("shows how many recipients a silence covers", async () => {
    const { world, read } = await anEvent();
    const silence = { name: "Move", eventKey: "disk.*", endsAt: "2026-12-01T00:00:00Z" };
    await createSilence(world.deps, world.ws, v.parse(SilenceInput, silence));
    await world.work();

    expect(await read()).toMatchObject({
      rules: [{ name: "Disks", recipients: [], escalation: null }],
      packs: [],
      recipients: { recipients: 2, silenced: 2, pending: 0, faults: [] },
    });
  });

  it("shows a rule that reaches nobody", async () => {
    const world = await createWorld();
    const empty = await world.group("Empty", []);
    await world.rule([empty]);
    const { eventId } = (await world.post()) as { eventId: string };
    await world.work();

    expect(await readLedger(world.deps, world.ws, eventId)).toMatchObject({
      rules: [{ recipients: [], escalation: null }],
      packs: [],
      recipients: { recipients: 0, faults: [] },
    });
  });
});
