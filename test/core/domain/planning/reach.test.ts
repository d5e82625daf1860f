import { describe, expect, it } from "vitest";
import type { FrozenPolicy } from "../../../../core/domain/escalation/escalation-policy.ts";
import { checkUnattendedGroups, checkPolicy, checkRule, checkDevices } from "../../../../core/domain/planning/reach.ts";
import { aPeople, NOON, to } from "../support.ts";

const policy = (steps: FrozenPolicy["steps"]) => ({ id: "pol_1", name: "Ladder", repeat: 0, steps });
const group = (groupId: string, onCallOnly = false) => ({ type: "group" as const, groupId, onCallOnly });

const at = "2026-11-01T00:00:00.000Z";
const override = (groupId: string, end: string) => ({
  id: "ovr_1",
  groupId,
  userId: "usr_ann",
  start: at,
  end,
  createdAt: at,
});
const reach = aPeople({
  members: { usr_ann: "Ann", usr_bob: "Bob" },
  groups: {
    grp_ops: ["usr_ann", "usr_bob"],
    grp_bob: ["usr_bob"],
    grp_relief: ["usr_ann"],
    grp_over: ["usr_ann"],
    grp_empty: [],
  },
  policies: [
    { ...policy([{ delayMinutes: 5, targets: [group("grp_ops")] }]), id: "pol_good" },
    { ...policy([{ delayMinutes: 5, targets: [group("grp_empty")] }]), id: "pol_empty" },
    { ...policy([]), id: "pol_none" },
  ],
  schedules: [
    {
      groupId: "grp_ops",
      timeZone: "UTC",
      layers: [{ start: "2026-11-02T09:00", every: 1, unit: "week", participants: ["usr_ann"], restrictions: [] }],
      updatedAt: at,
    },
  ],
  overrides: [override("grp_relief", "2026-11-21T12:00:00.001Z"), override("grp_over", "2026-11-21T12:00:00.000Z")],
});
const hasDevice = (userIds: readonly string[]) => userIds.includes("usr_ann");

const aRule = (fields: Partial<Parameters<typeof checkRule>[0]> = {}) => ({
  targets: to("grp_ops"),
  onCallOnly: false,
  requiresAck: true,
  escalationPolicyId: null,
  ...fields,
});
const warningsOf = (fields: Parameters<typeof aRule>[0]) =>
  checkRule(aRule(fields), reach, hasDevice, NOON).map(({ code, id }) => `${code} ${id}`);

describe("the warnings about a rule that may notify nobody", () => {
  it.each([
    ["that reaches somebody", {}, []],
    ["for a deleted group", { targets: to("grp_gone") }, ["group_deleted grp_gone"]],
    ["for an empty group", { targets: to("grp_empty") }, ["group_empty grp_empty"]],
    ["for a group without devices", { targets: to("grp_bob") }, ["no_devices grp_bob"]],
    ["for people on call in a scheduled group", { onCallOnly: true }, []],
    ["for people on call by an override that is active", { targets: to("grp_relief"), onCallOnly: true }, []],
    [
      "for people on call by an override that has ended",
      { targets: to("grp_over"), onCallOnly: true },
      ["nobody_on_call grp_over"],
    ],
    [
      "for people on call in a group where nobody is ever on call",
      { targets: to("grp_bob"), onCallOnly: true },
      ["nobody_on_call grp_bob"],
    ],
    [
      "for people on call in a deleted group",
      { targets: to("grp_gone"), onCallOnly: true },
      ["group_deleted grp_gone"],
    ],
    ["for the same empty group twice", { targets: to("grp_empty", "grp_empty") }, ["group_empty grp_empty"]],
    ["with a policy that reaches somebody", { escalationPolicyId: "pol_good" }, []],
    ["with a deleted policy", { escalationPolicyId: "pol_gone" }, ["policy_deleted pol_gone"]],
    ["with a policy to an empty group", { escalationPolicyId: "pol_empty" }, ["policy_reaches_nobody pol_empty"]],
    ["with a policy without steps", { escalationPolicyId: "pol_none" }, ["policy_reaches_nobody pol_none"]],
    [
      "with a policy but no acknowledgement",
      { escalationPolicyId: "pol_good", requiresAck: false },
      ["policy_not_armed pol_good"],
    ],
  ])("name each cause, and nothing else, for a rule %s", (_, fields, expected) => {
    expect(warningsOf(fields)).toEqual(expected);
  });
});

describe("the warnings about an escalation policy that may notify nobody", () => {
  it("say for each target why it reaches nobody, and that all targets fail", () => {
    const steps = [
      { delayMinutes: 5, targets: [group("grp_bob", true), { type: "user" as const, userId: "usr_gone" }] },
      { delayMinutes: 5, targets: [{ type: "user" as const, userId: "usr_bob" }, group("grp_bob")] },
    ];

    const warnings = checkPolicy(policy(steps), reach, hasDevice, NOON);

    expect(warnings.map(({ code, id }) => `${code} ${id}`)).toEqual([
      "nobody_on_call grp_bob",
      "user_left usr_gone",
      "no_devices usr_bob",
      "no_devices grp_bob",
      "policy_reaches_nobody pol_1",
    ]);
  });

  it("do not exist if every target reaches somebody", () => {
    const steps = [
      { delayMinutes: 5, targets: [group("grp_ops", true), { type: "user" as const, userId: "usr_ann" }] },
    ];

    expect(checkPolicy(policy(steps), reach, hasDevice, NOON)).toEqual([]);
  });
});

describe("the removal of a person", () => {
  /** In Ops, Ann is on call now. */
  const peopleWithout = (userId?: string) => {
    const others = (...ids: string[]) => ids.filter((id) => id !== userId);
    return aPeople({
      members: { usr_ann: "Ann", usr_bob: "Bob" },
      groups: { grp_ops: others("usr_ann", "usr_bob"), grp_ann: others("usr_ann"), grp_empty: [] },
      schedules: [
        {
          groupId: "grp_ops",
          timeZone: "UTC",
          layers: [{ start: "2026-11-21T12:00", every: 1, unit: "day", participants: ["usr_ann"] }],
          updatedAt: "",
        },
      ],
    });
  };
  const listLossWarnings = (userId: string, at: number) =>
    checkUnattendedGroups(peopleWithout(), peopleWithout(userId), at).map(({ code, id }) => `${code} ${id}`);

  it.each([
    [
      "the group that loses its last member, and the group that loses its person on call",
      "usr_ann",
      NOON,
      ["nobody_on_duty grp_ops", "group_empty grp_ann"],
    ],
    [
      "the group that loses its last member, if nobody is on call in the other group",
      "usr_ann",
      NOON - 1,
      ["group_empty grp_ann"],
    ],
    ["nothing, if the person is one of several members", "usr_bob", NOON, []],
    ["nothing, if the person is not a member", "usr_cat", NOON, []],
  ])("warns about groups that it leaves without anybody to notify: about %s", (_, userId, at, expected) => {
    expect(listLossWarnings(userId, at)).toEqual(expected);
  });
});

describe("a recipient", () => {
  const phone = {
    id: "dev_1" as const,
    platform: "ios" as const,
    name: null,
    token: "token",
    createdAt: at,
    registeredAt: "2026-11-20T00:00:00.000Z",
  };
  const old = { ...phone, registeredAt: "2026-10-01T00:00:00.000Z" };

  it.each([
    ["no device gets the warning no_device", "no_device", []],
    ["only a silent device gets the warning devices_silent", "devices_silent", [old]],
    ["a silent device and another device gets no warning", undefined, [old, phone]],
    ["one device gets no warning", undefined, [phone]],
  ])("with %s", (_, code, devices) => {
    expect(checkDevices("usr_ann", devices, NOON)?.code).toBe(code);
  });
});
