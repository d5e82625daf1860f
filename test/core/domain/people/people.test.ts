import { describe, expect, it } from "vitest";
import {
  estimatePeopleBytes,
  isOnCall,
  listOverridePeople,
  listOwnerIds,
  markUnreachable,
  type People,
  replaceSchedules,
  listRecipientsOfTargets,
  scheduleRecipientSteps,
  buildPeople,
  findUnreachedGroups,
  type Target,
} from "../../../../core/domain/people/people.ts";
import { createEmptyRules } from "../../../../core/domain/people/notification-rules.ts";
import { aPeople, NOON, people } from "../support.ts";

const group = (groupId: string): Target => ({ type: "group", groupId });
const onCall = (groupId: string): Target => ({ type: "group", groupId, onCallOnly: true });
const user = (userId: string): Target => ({ type: "user", userId });

describe("the people that a rule notifies", () => {
  it("are all members of a target group, in the group's order", () => {
    expect(listRecipientsOfTargets(people, [group("grp_ops")], NOON)).toEqual([
      { userId: "usr_ann", reason: { groupId: "grp_ops" } },
      { userId: "usr_bob", reason: { groupId: "grp_ops" } },
    ]);
  });

  it("are the members on call, each with their shift, if the target is limited to people on call", () => {
    expect(listRecipientsOfTargets(people, [onCall("grp_ops")], NOON)).toEqual([
      { userId: "usr_bob", reason: { groupId: "grp_ops", layer: 1 } },
    ]);
  });

  it("are the people on call at the instant of the event", () => {
    expect(listRecipientsOfTargets(people, [onCall("grp_ops")], NOON - 1)).toEqual([]);
  });

  it("include a member whom a target names, with this target as the only reason", () => {
    expect(listRecipientsOfTargets(people, [user("usr_cat")], NOON)).toEqual([{ userId: "usr_cat", reason: {} }]);
  });

  it("are each notified once, for the first target that includes them", () => {
    expect(listRecipientsOfTargets(people, [onCall("grp_ops"), group("grp_ops"), user("usr_ann")], NOON)).toEqual([
      { userId: "usr_bob", reason: { groupId: "grp_ops", layer: 1 } },
      { userId: "usr_ann", reason: { groupId: "grp_ops" } },
    ]);
  });

  it.each([
    ["people who have left", user("usr_gone")],
    ["the members of a deleted group", group("grp_gone")],
    ["the people on call in a deleted group", onCall("grp_gone")],
    ["anybody of an empty group", group("grp_empty")],
    ["people who are on call in a group without being its members", onCall("grp_lead")],
  ])("do not include %s", (_, target) => {
    expect(listRecipientsOfTargets(people, [target], NOON)).toEqual([]);
  });
});

/** Returns a schedule with a daily rotation for each participant. The last rotation takes precedence. */
const dailySchedule = (groupId: string, ...participants: string[]) => ({
  groupId,
  timeZone: "UTC",
  layers: participants.map((userId) => ({
    start: "2026-11-01T09:00",
    every: 1,
    unit: "day" as const,
    participants: [userId],
  })),
  updatedAt: "",
});

const sourcesOf = (people: People, groupId: string, at: number) =>
  people
    .duty(groupId)
    .at(at)
    .people.map(({ userId, source }) => [userId, source.kind === "layer" ? source.layer : source.overrideId]);

describe("the people of a workspace", () => {
  const members = { usr_ann: "Ann", usr_bob: "Bob" };

  it("leave out people who have left, and members and schedules of deleted groups", () => {
    const some = buildPeople({
      members: [...aPeople({ members, groups: {} }).members.values()],
      groups: [{ id: "grp_ops", name: "Ops", workspaceId: "ws_1", createdAt: "" }],
      groupMembers: ["usr_gone", "usr_bob"].flatMap((userId) =>
        ["grp_ops", "grp_gone"].map((groupId) => ({ groupId, userId })),
      ),
      schedules: [dailySchedule("grp_gone", "usr_bob")],
    });

    expect(some.groups.get("grp_ops")?.memberIds).toEqual(["usr_bob"]);
    expect(sourcesOf(some, "grp_gone", NOON)).toEqual([]);
    expect(sourcesOf(some, "grp_ops", NOON)).toEqual([]);
  });

  it("are on call by an override, which takes precedence over rotations, even in a group without a schedule", () => {
    const override = {
      id: "ovr_1",
      groupId: "grp_ops",
      userId: "usr_ann",
      start: "2026-11-21T11:00:00.000Z",
      end: "2026-11-21T13:00:00.000Z",
      createdAt: "",
    };
    const some = aPeople({ members, groups: { grp_ops: ["usr_ann"] }, overrides: [override] });

    expect(sourcesOf(some, "grp_ops", NOON)).toEqual([["usr_ann", "ovr_1"]]);
    expect(listRecipientsOfTargets(some, [onCall("grp_ops")], NOON)).toEqual([
      { userId: "usr_ann", reason: { groupId: "grp_ops", overrideId: "ovr_1" } },
    ]);
  });

  it("are on call by the rotation that takes precedence, from the start of the schedule", () => {
    const groups = { grp_ops: ["usr_bob"], grp_lead: ["usr_ann"] };
    const schedules = [dailySchedule("grp_ops", "usr_ann", "usr_bob"), dailySchedule("grp_lead", "usr_ann")];
    const some = aPeople({ members, groups, schedules });

    expect(sourcesOf(some, "grp_ops", NOON)).toEqual([["usr_bob", 1]]);
    expect(sourcesOf(some, "grp_lead", NOON)).toEqual([["usr_ann", 0]]);
    expect(sourcesOf(some, "grp_lead", Date.UTC(2026, 10, 1, 8))).toEqual([]);
  });

  it.each([
    ["every member if the owners are unknown", undefined, ["usr_ann", "usr_bob"]],
    ["the owners who are still members", new Set(["usr_bob", "usr_gone"]), ["usr_bob"]],
  ])("include the people who get notices about the workspace: %s", (_, owners, notified) => {
    expect(listOwnerIds({ ...aPeople({ members, groups: {} }), owners })).toEqual(notified);
  });

  it("have an estimated size in memory, which grows with members, group memberships and groups", () => {
    expect(estimatePeopleBytes(aPeople({ members, groups: {} }))).toBe(1_200);
    expect(
      estimatePeopleBytes(aPeople({ members, groups: { grp_a: ["usr_ann"], grp_b: ["usr_ann", "usr_bob"] } })),
    ).toBe(1_200 + 3 * 16 + 2 * 4_000);
    expect(estimatePeopleBytes(people)).toBe(3 * 600 + 3 * 16 + 5 * 4_000);
    const some = aPeople({ members, groups: { grp_ops: [] }, schedules: [dailySchedule("grp_ops", "usr_ann")] });
    const notificationRules = new Map([["usr_ann", createEmptyRules("usr_ann")]]);
    expect(estimatePeopleBytes({ ...some, notificationRules })).toBe(1_200 + 2 * 4_000 + 2_000);
  });

  it("are paged by all of their own notification steps only if the push is loud and must be acknowledged", () => {
    const URGENT = [0, 20].map((afterMinutes) => ({ afterMinutes, ways: ["push" as const] }));
    const rules = createEmptyRules("usr_ann");
    const some = buildPeople({
      members: [],
      groups: [],
      groupMembers: [],
      notificationRules: [{ ...rules, rungs: { ...rules.rungs, URGENT } }],
      urgentFloor: { ways: ["sms"], withinMinutes: 10 },
    });
    const notified = { priority: "URGENT", requiresAck: true, at: NOON } as const;
    const [first, floor, last] = [
      { at: NOON, ways: ["push"] },
      { at: NOON + 600_000, ways: ["sms"] },
      { at: NOON + 1_200_000, ways: ["push"] },
    ];

    expect(scheduleRecipientSteps(some, { userId: "usr_ann" }, notified)).toEqual([first, floor, last]);
    expect(scheduleRecipientSteps(some, { userId: "usr_ann", quiet: "too_many" }, notified)).toEqual([first]);
    expect(scheduleRecipientSteps(some, { userId: "usr_ann" }, { ...notified, requiresAck: false })).toEqual([first]);
    expect(scheduleRecipientSteps(some, { userId: "usr_ann" }, { ...notified, priority: "HIGH" })).toBeUndefined();
    expect(scheduleRecipientSteps(some, { userId: "usr_bob" }, notified)).toBeUndefined();
  });
});

describe("the people on call", () => {
  const override = (groupId: string, userId: string, from: number, to: number) => {
    const [start = "", end = ""] = [from, to].map((hour) => `2026-11-21T${hour}:00:00.000Z`);
    return { id: "ovr_1", groupId, userId, start, end, createdAt: "" };
  };
  /** In Ops, Bob has the rotation, and Ann an override from noon. In Lead, Ann has the rotation, but is not a member. */
  const some = aPeople({
    members: { usr_ann: "Ann", usr_bob: "Bob" },
    groups: { grp_ops: ["usr_ann", "usr_bob"], grp_lead: ["usr_bob"] },
    schedules: [dailySchedule("grp_ops", "usr_bob"), dailySchedule("grp_lead", "usr_ann")],
    overrides: [
      override("grp_ops", "usr_ann", 12, 18),
      override("grp_lead", "usr_bob", 13, 14),
      override("grp_gone", "usr_bob", 12, 18),
    ],
  });
  const withoutAnn = markUnreachable(some, new Set(["usr_ann"]));

  it.each([
    ["include the person of an override once it has begun", NOON, true],
    ["do not include the person of an override just before it begins", NOON - 1, false],
  ])("%s", (_, at, is) => {
    expect(isOnCall(some, { groupId: "grp_ops", userId: "usr_ann" }, at)).toBe(is);
  });

  it.each([
    ["unreachable", "grp_ops", "usr_bob"],
    ["not_in_group", "grp_lead", "usr_ann"],
  ])("by a rotation are marked %s if that is why events would not notify them", (blocked, groupId, userId) => {
    const { people: found } = markUnreachable(some, new Set(["usr_bob"]))
      .duty(groupId)
      .at(NOON - 1);

    expect(found).toMatchObject([{ userId, blocked }]);
  });

  it.each<[string, [from: number, to: number], People, string[]]>([
    ["Ann at noon", [0, 0], some, ["usr_ann"]],
    ["nobody before noon", [-2, -1], some, []],
    ["Ann and Bob at one o'clock", [60, 60], some, ["usr_ann", "usr_bob"]],
    ["Ann at two o'clock, when Bob's override ends", [120, 120], some, ["usr_ann"]],
    ["nobody from six o'clock, when Ann's override ends", [360, 400], some, []],
    ["Bob for the whole day, if Ann has no device", [-720, 720], withoutAnn, ["usr_bob"]],
  ])("whom an override puts on call in a period are found: %s", (_, [from, to], of, expected) => {
    expect(listOverridePeople(of, NOON + from * 60_000, NOON + to * 60_000)).toEqual(expected);
  });

  it.each<[string, People, string, string | number]>([
    ["an override before a rotation", some, "usr_ann", "ovr_1"],
    ["a rotation if no device of the person with the override accepts a push", withoutAnn, "usr_bob", 0],
    [
      "the saved override if a draft changes neither overrides nor rotations",
      replaceSchedules(some, [{ groupId: "grp_ops" }]),
      "usr_ann",
      "ovr_1",
    ],
    [
      "the saved rotation if a draft removes the overrides",
      replaceSchedules(some, [{ groupId: "grp_ops", overrides: [] }]),
      "usr_bob",
      0,
    ],
    [
      "a draft's rotation, instead of the saved rotation",
      replaceSchedules(some, [
        { groupId: "grp_ops", schedule: dailySchedule("", "usr_ann", "usr_bob"), overrides: [] },
      ]),
      "usr_bob",
      1,
    ],
  ])("are decided by %s", (_, of, userId, source) => {
    expect(sourcesOf(of, "grp_ops", NOON)).toEqual([[userId, source]]);
  });
});

describe("the list of groups in which an event reaches nobody", () => {
  const listUnreached = (...targets: Target[]) =>
    findUnreachedGroups(people, targets, listRecipientsOfTargets(people, targets, NOON), NOON);

  it.each([
    ["group_deleted", "a group that was deleted", "grp_gone", group("grp_gone")],
    ["group_empty", "a group without members", "grp_empty", group("grp_empty")],
    ["group_empty", "the people on call in a group without members", "grp_empty", onCall("grp_empty")],
    ["nobody_on_call", "the people on call in a group where nobody is on call", "grp_lead", onCall("grp_lead")],
  ] as const)("gives the reason %s if the target is %s", (because, _what, groupId, target) => {
    expect(listUnreached(target)).toEqual([{ groupId, because }]);
  });

  it("is evaluated at the instant of the event", () => {
    expect(findUnreachedGroups(people, [onCall("grp_ops")], [], NOON - 1)).toEqual([
      { groupId: "grp_ops", because: "nobody_on_call" },
    ]);
  });

  it("omits groups in which somebody is notified", () => {
    expect(listUnreached(group("grp_ops"), onCall("grp_ops"), group("grp_lead"))).toEqual([]);
  });

  it("omits groups whose people an earlier target already names", () => {
    expect(listUnreached(user("usr_cat"), group("grp_lead"))).toEqual([]);
  });

  it("leaves out targets that are people", () => {
    expect(listUnreached(user("usr_gone"))).toEqual([]);
  });

  it("contains each group once", () => {
    expect(listUnreached(group("grp_gone"), group("grp_empty"), group("grp_gone"))).toEqual([
      { groupId: "grp_gone", because: "group_deleted" },
      { groupId: "grp_empty", because: "group_empty" },
    ]);
  });
});
