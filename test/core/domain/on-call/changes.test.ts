import { describe, expect, test } from "vitest";
import {
  advanceTimeline,
  computeNextOnCallCheckTime,
  type GroupNow,
  type OnCallTimeline,
} from "../../../../core/domain/on-call/changes.ts";
import { aLayer, ann, aSchedule, at, bob, cyd } from "./support.ts";

/** Daily handoffs at 09:00 UTC: Bob until Wednesday, 4 March, then Cyd until Thursday, then Ann. */
const schedule = aSchedule("UTC", aLayer());
const tuesday = at("2026-03-03T12:00:00Z");
const wednesday = at("2026-03-04T12:00:00Z");
const handoff = at("2026-03-04T09:00:00Z");

const aGroup = (fields: Partial<GroupNow> = {}): GroupNow => ({
  name: "Ops",
  schedule,
  overrides: [],
  ...fields,
});
const aTimeline = (fields: Partial<OnCallTimeline> = {}): OnCallTimeline => ({
  groupId: "grp_1",
  name: "Ops",
  onCall: [bob],
  at: tuesday,
  told: tuesday,
  sequence: 3,
  untold: [],
  ...fields,
});
const anOverride = (userId: string, start: string, end: string, id = "ovr_1") => ({ id, userId, start, end });
const changesOf = (timeline: OnCallTimeline | undefined) =>
  timeline?.untold.map(({ sequence, at: when, before, onCall }) => [sequence, when, before.join(), onCall.join()]);

describe("a check of who is on call, when the time of an earlier check is not stored,", () => {
  test("finds who is on call, and notifies nobody", () => {
    expect(advanceTimeline("grp_1", undefined, aGroup(), { from: undefined, to: tuesday })).toEqual({
      groupId: "grp_1",
      name: "Ops",
      onCall: [bob],
      at: tuesday,
      told: tuesday,
      sequence: 0,
      untold: [],
    });
  });

  test("writes nothing for a group in which nobody is on call", () => {
    const empty = aGroup({ schedule: aSchedule("UTC") });

    expect(advanceTimeline("grp_1", undefined, empty, { from: undefined, to: tuesday })).toBeUndefined();
  });

  test("keeps the group's stored change number, and reports no earlier change", () => {
    const untold = [{ sequence: 3, at: 1, told: 1, onCall: [bob], before: [] }];
    const timeline = advanceTimeline("grp_1", aTimeline({ untold }), aGroup(), { from: undefined, to: wednesday });

    expect(timeline).toMatchObject({ sequence: 3, onCall: [cyd], at: wednesday, untold: [] });
    expect(advanceTimeline("grp_1", aTimeline({ untold }), aGroup(), { from: undefined, to: tuesday })?.untold).toEqual(
      [],
    );
  });

  test("finds that nobody is on call in a deleted group", () => {
    const timeline = advanceTimeline("grp_1", aTimeline(), undefined, { from: undefined, to: wednesday });

    expect(timeline).toMatchObject({ name: "Ops", onCall: [], untold: [] });
  });
});

describe("a later check of who is on call", () => {
  test("reports nothing while the same people are on call", () => {
    const timeline = aTimeline();

    expect(advanceTimeline("grp_1", timeline, aGroup(), { from: tuesday, to: handoff - 1 })).toBe(timeline);
  });

  test("reports a shift that began exactly at the time of the check", () => {
    const timeline = advanceTimeline("grp_1", aTimeline(), aGroup(), { from: tuesday, to: handoff });

    expect(changesOf(timeline)).toEqual([[4, handoff, bob, cyd]]);
  });

  test("reports each shift that began since the last check, with that shift's own time", () => {
    const timeline = advanceTimeline("grp_1", aTimeline(), aGroup(), {
      from: tuesday,
      to: at("2026-03-05T12:00:00Z"),
    });

    expect(changesOf(timeline)).toEqual([
      [4, handoff, bob, cyd],
      [5, at("2026-03-05T09:00:00Z"), cyd, ann],
    ]);
    expect(timeline).toMatchObject({ onCall: [ann], sequence: 5, at: at("2026-03-05T12:00:00Z") });
  });

  test("reports an override with the override's own beginning and end", () => {
    const overrides = [anOverride(ann, "2026-03-03T13:00:00Z", "2026-03-03T14:00:00Z")];
    const timeline = advanceTimeline("grp_1", aTimeline(), aGroup({ overrides }), { from: tuesday, to: handoff - 1 });

    expect(changesOf(timeline)).toEqual([
      [4, at("2026-03-03T13:00:00Z"), bob, ann],
      [5, at("2026-03-03T14:00:00Z"), ann, bob],
    ]);
  });

  test("reports once that the schedule was edited, and nothing about the past", () => {
    const overrides = [anOverride(ann, "2026-03-03T11:00:00Z", "2026-03-06T11:00:00Z")];
    const timeline = advanceTimeline("grp_1", aTimeline(), aGroup({ overrides }), { from: tuesday, to: wednesday });

    expect(changesOf(timeline)).toEqual([[4, wednesday, bob, ann]]);
  });

  test("ignores a schedule edit after which the same people are on call", () => {
    const overrides = [anOverride(ann, "2026-03-03T11:00:00Z", "2026-03-03T12:30:00Z")];
    const timeline = aTimeline();

    expect(advanceTimeline("grp_1", timeline, aGroup({ overrides }), { from: tuesday, to: handoff - 1 })).toBe(
      timeline,
    );
  });

  test("reports that a person who left the workspace is off call", () => {
    const blockOf = (userId: string) => (userId === bob ? ("left" as const) : undefined);
    const timeline = advanceTimeline("grp_1", aTimeline(), aGroup({ blockOf }), { from: tuesday, to: tuesday + 1 });

    expect(changesOf(timeline)).toEqual([[4, tuesday + 1, bob, ""]]);
  });

  test("reports once that nobody is on call in a deleted group", () => {
    const timeline = advanceTimeline("grp_1", aTimeline(), undefined, { from: tuesday, to: wednesday });

    expect(changesOf(timeline)).toEqual([[4, wednesday, bob, ""]]);
    expect(timeline).toMatchObject({ name: "Ops", onCall: [] });
    expect(advanceTimeline("grp_1", timeline, undefined, { from: wednesday, to: wednesday + 1 })).toBe(timeline);
  });

  test("of a new group assumes that nobody was on call there before", () => {
    const timeline = advanceTimeline("grp_1", undefined, aGroup(), { from: tuesday - 1, to: tuesday });

    expect(changesOf(timeline)).toEqual([[1, tuesday, "", bob]]);
  });

  test("names several people in a fixed order, whatever their order in the schedule", () => {
    const overrides = [
      anOverride(cyd, "2026-03-03T13:00:00Z", "2026-03-03T14:00:00Z", "ovr_1"),
      anOverride(ann, "2026-03-03T13:00:00Z", "2026-03-03T14:00:00Z", "ovr_2"),
    ];
    const to = at("2026-03-03T13:30:00Z");

    expect(advanceTimeline("grp_1", aTimeline(), aGroup({ overrides }), { from: tuesday, to })?.onCall).toEqual([
      ann,
      cyd,
    ]);
  });

  test("by a process whose clock is behind reverts nothing, and the change number never decreases", () => {
    const ahead = aTimeline({ onCall: [cyd], at: handoff + 5, told: handoff + 5 });

    expect(advanceTimeline("grp_1", ahead, aGroup(), { from: handoff - 5, to: handoff - 1 })).toBe(ahead);
    const edited = advanceTimeline("grp_1", ahead, undefined, { from: handoff - 5, to: handoff - 1 });
    expect(edited?.untold).toEqual([{ sequence: 4, at: handoff + 5, told: handoff + 5, onCall: [], before: [cyd] }]);
  });

  test("keeps earlier changes that are not reported yet, and puts new changes after them", () => {
    const untold = [{ sequence: 3, at: 1, told: 1, onCall: [bob], before: [ann] }];
    const timeline = advanceTimeline("grp_1", aTimeline({ untold }), aGroup(), { from: tuesday, to: handoff });

    expect(timeline?.untold.map(({ sequence }) => sequence)).toEqual([3, 4]);
  });

  test("reports only the newest fifty of very many shifts, each with who was on call before", () => {
    const hourly = aGroup({ schedule: aSchedule("UTC", aLayer({ every: 1, unit: "hour", participants: [ann, bob] })) });
    const from = at("2026-03-03T09:00:00Z");
    const timeline = advanceTimeline("grp_1", aTimeline({ onCall: [ann], at: from }), hourly, {
      from,
      to: from + 80 * 3_600_000,
    });

    expect(timeline?.untold).toHaveLength(50);
    expect(timeline?.untold.at(-1)).toMatchObject({ sequence: 53, at: from + 80 * 3_600_000 });
  });
});

describe("the time of the next check of who is on call", () => {
  test("is when another person can come on call in one of the groups", () => {
    const soon = aGroup({ overrides: [anOverride(ann, "2026-03-03T13:00:00Z", "2026-03-03T14:00:00Z")] });

    expect(computeNextOnCallCheckTime([aGroup(), soon], tuesday)).toBe(at("2026-03-03T13:00:00Z"));
  });

  test("is a day later if no change is planned", () => {
    expect(computeNextOnCallCheckTime([aGroup({ schedule: aSchedule("UTC") })], tuesday)).toBe(
      tuesday + 24 * 3_600_000,
    );
  });
});
