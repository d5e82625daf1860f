import { describe, expect, it } from "vitest";
import {
  findAddedPeopleFaults,
  findRuleReferenceFaults,
  findScheduleReferenceFaults,
  findStepReferenceFaults,
} from "../../../../core/domain/planning/references.ts";
import { aPeople, ladder, to } from "../support.ts";

/** A workspace with one item of each kind. */
const known = aPeople({ members: { usr_ann: "Ann" }, groups: { grp_ops: [] }, policies: [ladder] });
const group = (groupId: string) => ({ type: "group" as const, groupId, onCallOnly: false });
const user = (userId: string) => ({ type: "user" as const, userId });
const layer = (...participants: (string | string[])[]) => ({
  start: "2026-11-02T09:00",
  every: 1,
  unit: "week" as const,
  participants,
  restrictions: [],
});

describe("the references of a routing rule", () => {
  it.each([
    ["a group and a policy of the workspace", { targets: to("grp_ops"), escalationPolicyId: "pol_ladder" }],
    ["no policy", { targets: to("grp_ops"), escalationPolicyId: null }],
    ["no group or policy, if only other fields change", {}],
  ])("are valid with %s", (_, rule) => {
    expect(findRuleReferenceFaults(rule, known)).toEqual([]);
  });

  it("are reported one by one if they do not exist in the workspace", () => {
    const rule = { targets: to("grp_ops", "grp_theirs"), escalationPolicyId: "pol_theirs" };

    expect(findRuleReferenceFaults(rule, known)).toEqual([
      {
        field: "targets[1].groupId",
        code: "unknown_reference",
        message: "targets[1].groupId must be the id of a group of this workspace.",
      },
      {
        field: "escalationPolicyId",
        code: "unknown_reference",
        message: "escalationPolicyId must be the id of an escalation policy of this workspace.",
      },
    ]);
  });
});

describe("the references of an escalation policy", () => {
  const steps = (...targets: (ReturnType<typeof group> | ReturnType<typeof user>)[]) => [
    { delayMinutes: 5, targets: [] },
    { delayMinutes: 5, targets },
  ];

  it("are valid with groups and members of the workspace", () => {
    expect(findStepReferenceFaults(steps(group("grp_ops"), user("usr_ann")), known)).toEqual([]);
  });

  it("are reported by step and target if they do not exist in the workspace", () => {
    const faults = findStepReferenceFaults(steps(user("usr_theirs"), group("grp_ops"), group("grp_theirs")), known);

    expect(faults.map(({ message }) => message)).toEqual([
      "steps[1].targets[0].userId must be the id of a member of this workspace.",
      "steps[1].targets[2].groupId must be the id of a group of this workspace.",
    ]);
  });
});

describe("the people and groups that are added to an event", () => {
  it("are reported one by one if they do not exist in the workspace", () => {
    const faultsOf = (userIds: string[], groupIds: string[]) =>
      findAddedPeopleFaults({ userIds, groupIds }, known).map(({ message }) => message);

    expect(faultsOf(["usr_ann"], ["grp_ops"])).toEqual([]);
    expect(faultsOf(["usr_ann", "usr_theirs"], ["grp_theirs"])).toEqual([
      "userIds[1] must be the id of a member of this workspace.",
      "groupIds[0] must be the id of a group of this workspace.",
    ]);
  });
});

describe("the references of an on-call schedule", () => {
  it("are valid if they name members of the workspace", () => {
    expect(findScheduleReferenceFaults({ timeZone: "UTC", layers: [layer("usr_ann")] }, known)).toEqual([]);
  });

  it("are reported by rotation and participant if somebody is not a member", () => {
    const layers = [layer("usr_ann"), layer("usr_ann", "usr_theirs")];

    expect(findScheduleReferenceFaults({ timeZone: "UTC", layers }, known).map(({ message }) => message)).toEqual([
      "layers[1].participants[1] must be the id of a member of this workspace.",
    ]);
    const together = [layer(["usr_ann", "usr_theirs"])];
    expect(
      findScheduleReferenceFaults({ timeZone: "UTC", layers: together }, known).map(({ message }) => message),
    ).toEqual(["layers[0].participants[0][1] must be the id of a member of this workspace."]);
  });
});
