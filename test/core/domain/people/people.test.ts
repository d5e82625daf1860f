import { describe, expect, it } from "vitest";
import {
  heldByPeople,
  ownersOf,
  resolveTargets,
  unreachedGroups,
  type Target,
} from "../../../../core/domain/people/people.ts";
import { aPeople, NOON, people } from "../support.ts";

const group = (groupId: string): Target => ({ type: "group", groupId });
const onCall = (groupId: string): Target => ({ type: "group", groupId, onCallOnly: true });
const user = (userId: string): Target => ({ type: "user", userId });

describe("the people that targets name", () => {
  it("are all of a group, in its order", () => {
    expect(resolveTargets(people, [group("grp_ops")], NOON)).toEqual([
      { userId: "usr_ann", reason: { groupId: "grp_ops" } },
      { userId: "usr_bob", reason: { groupId: "grp_ops" } },
    ]);
  });

  it("are those of a group who are on call, with their shift", () => {
    expect(resolveTargets(people, [onCall("grp_ops")], NOON)).toEqual([
      { userId: "usr_bob", reason: { groupId: "grp_ops", layer: 1 } },
    ]);
  });

  it("are those who are on call at that instant", () => {
    expect(resolveTargets(people, [onCall("grp_ops")], NOON - 1)).toEqual([]);
  });

  it("are members by name, for no reason but that", () => {
    expect(resolveTargets(people, [user("usr_cat")], NOON)).toEqual([{ userId: "usr_cat", reason: {} }]);
  });

  it("are each told once, by the first target that names them", () => {
    expect(resolveTargets(people, [onCall("grp_ops"), group("grp_ops"), user("usr_ann")], NOON)).toEqual([
      { userId: "usr_bob", reason: { groupId: "grp_ops", layer: 1 } },
      { userId: "usr_ann", reason: { groupId: "grp_ops" } },
    ]);
  });

  it.each([
    ["somebody who has left", user("usr_gone")],
    ["a group that was deleted", group("grp_gone")],
    ["a group that was deleted and those on call in it", onCall("grp_gone")],
    ["an empty group", group("grp_empty")],
    ["those on call in a group that they are not in", onCall("grp_lead")],
  ])("are nobody for %s", (_, target) => {
    expect(resolveTargets(people, [target], NOON)).toEqual([]);
  });
});

describe("the people of a workspace", () => {
  const members = { usr_ann: "Ann", usr_bob: "Bob" };

  it("leave out whoever has left, and parts of groups that are gone", () => {
    const some = aPeople({ members, groups: { grp_ops: ["usr_gone", "usr_bob"] } });

    expect(some.groups.get("grp_ops")?.memberIds).toEqual(["usr_bob"]);
    expect(some.onCall("grp_gone", NOON)).toEqual(new Map());
    expect(some.onCall("grp_ops", NOON)).toEqual(new Map());
  });

  it("are on call by an override before any layer, also in a group without a schedule", () => {
    const override = {
      id: "ovr_1",
      groupId: "grp_ops",
      userId: "usr_ann",
      start: "2026-11-21T11:00:00.000Z",
      end: "2026-11-21T13:00:00.000Z",
      createdAt: "",
    };
    const some = aPeople({ members, groups: { grp_ops: ["usr_ann"] }, overrides: [override] });

    expect(some.onCall("grp_ops", NOON)).toEqual(new Map([["usr_ann", { overrideId: "ovr_1" }]]));
    expect(resolveTargets(some, [onCall("grp_ops")], NOON)).toEqual([
      { userId: "usr_ann", reason: { groupId: "grp_ops", overrideId: "ovr_1" } },
    ]);
  });

  it.each([
    [undefined, ["usr_ann", "usr_bob"]],
    [new Set(["usr_bob", "usr_gone"]), ["usr_bob"]],
  ])("are told of what concerns all of it as owners: %j makes %j", (owners, told) => {
    expect(ownersOf({ ...aPeople({ members, groups: {} }), owners })).toEqual(told);
  });

  it("hold as many bytes as their members, places and parts", () => {
    expect(heldByPeople(aPeople({ members, groups: {} }))).toBe(1_200);
    expect(heldByPeople(aPeople({ members, groups: { grp_a: ["usr_ann"], grp_b: ["usr_ann", "usr_bob"] } }))).toBe(
      1_200 + 3 * 16 + 2 * 4_000,
    );
    expect(heldByPeople(people)).toBe(3 * 600 + 3 * 16 + 4 * 4_000);
  });
});

describe("the groups in which nobody is to be told", () => {
  const unreached = (...targets: Target[]) =>
    unreachedGroups(people, targets, resolveTargets(people, targets, NOON), NOON);

  it.each([
    ["group_deleted", "grp_gone", group],
    ["group_empty", "grp_empty", group],
    ["group_empty", "grp_empty", onCall],
    ["nobody_on_call", "grp_lead", onCall],
  ] as const)("have the reason %s: %s", (because, groupId, target) => {
    expect(unreached(target(groupId))).toEqual([{ groupId, because }]);
  });

  it("are asked about at the instant of the event", () => {
    expect(unreachedGroups(people, [onCall("grp_ops")], [], NOON - 1)).toEqual([
      { groupId: "grp_ops", because: "nobody_on_call" },
    ]);
  });

  it("are not those in which somebody is told", () => {
    expect(unreached(group("grp_ops"), onCall("grp_ops"), group("grp_lead"))).toEqual([]);
  });

  it("are not those whose people an earlier target names already", () => {
    expect(unreached(user("usr_cat"), group("grp_lead"))).toEqual([]);
  });

  it("are no users", () => {
    expect(unreached(user("usr_gone"))).toEqual([]);
  });

  it("are listed once each", () => {
    expect(unreached(group("grp_gone"), group("grp_empty"), group("grp_gone"))).toEqual([
      { groupId: "grp_gone", because: "group_deleted" },
      { groupId: "grp_empty", because: "group_empty" },
    ]);
  });
});
