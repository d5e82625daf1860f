import { describe, expect, it } from "vitest";
import { countMaxNotifiedByRule, findMostNotifyingEventKey } from "../../../../core/domain/planning/most-notified.ts";
import { buildPeople } from "../../../../core/domain/people/people.ts";

const createdAt = "2026-11-21T12:00:00.000Z";
const users = ["usr_a", "usr_b", "usr_c"];
const inGroups: Record<string, string[]> = { grp_1: ["usr_a"], grp_2: ["usr_a", "usr_b"], grp_3: users };
const people = buildPeople({
  members: users.map((userId) => ({ userId, name: userId, email: "", createdAt })),
  groups: Object.keys(inGroups).map((id) => ({ id, name: id, workspaceId: "ws_1", createdAt })),
  groupMembers: Object.entries(inGroups).flatMap(([groupId, ids]) => ids.map((userId) => ({ groupId, userId }))),
});
const rule = (eventKey: string, groupIds: string[], enabled = true) => ({
  eventKey,
  enabled,
  targets: groupIds.map((groupId) => ({ type: "group" as const, groupId })),
});

describe("the largest number of people that a rule can notify", () => {
  it("counts each person once, however many of the rule's groups they are in", () => {
    expect(countMaxNotifiedByRule(rule("*", ["grp_1", "grp_2"]), people)).toBe(2);
  });
  it("counts nobody for a deleted group or a disabled rule", () => {
    expect(countMaxNotifiedByRule(rule("*", ["grp_9", "grp_1"]), people)).toBe(1);
    expect(countMaxNotifiedByRule(rule("*", ["grp_3"], false), people)).toBe(0);
  });
});

describe("the event that notifies the most people", () => {
  it("matches exactly the rules for all keys, for its resource and for its own key", () => {
    const rules = [
      rule("*", ["grp_1"]),
      rule("disk.*", ["grp_2"]),
      rule("disk.full", ["grp_3"]),
      rule("disk.full", ["grp_3"]),
      rule("disk.slow", ["grp_3"]),
      rule("order.*", ["grp_3"]),
    ];

    expect(findMostNotifyingEventKey(rules, people)).toEqual({ eventKey: "disk.full", notifications: 9 });
  });
  it("has a pattern such as disk.* or * as its key if no exact key notifies more people", () => {
    expect(findMostNotifyingEventKey([rule("disk.*", ["grp_2"]), rule("a.b", ["grp_1"])], people)).toEqual({
      eventKey: "disk.*",
      notifications: 2,
    });
    expect(findMostNotifyingEventKey([rule("*", ["grp_2"])], people)).toEqual({ eventKey: "*", notifications: 2 });
    expect(findMostNotifyingEventKey([], people).notifications).toBe(0);
  });
});
