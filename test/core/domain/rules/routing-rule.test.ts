import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { findGroupingFaults } from "../../../../core/domain/rules/grouping.ts";
import { RoutingRule } from "../../../../core/domain/rules/routing-rule.ts";
import { RuleInput, RulePatch } from "../../../../core/domain/rules/rule-input.ts";
import { to } from "../support.ts";

const input = { name: "Orders", eventKey: "order.*", targets: to("grp_1") };
const faultsOf = (schema: v.GenericSchema, body: unknown) =>
  (v.safeParse(schema, body).issues ?? []).map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);

describe("the request body for a routing rule", () => {
  it("by default matches every event with its key, notifies whole groups and requires no acknowledgement", () => {
    expect(v.parse(RuleInput, input)).toEqual({
      name: "Orders",
      eventKey: "order.*",
      targets: [{ type: "group", groupId: "grp_1" }],
      conditions: [],
      conditionMatch: "all",
      requiresAck: false,
      priorityOverride: null,
      onCallOnly: false,
      escalationPolicyId: null,
      enabled: true,
      fallback: false,
      activeHours: null,
      timeZone: null,
      groupBy: null,
      groupMinutes: null,
      atLeast: null,
      chain: null,
      position: null,
    });
  });

  it("is stored unchanged", () => {
    const rule = {
      ...input,
      conditions: [{ field: "data.amount", operator: "greater_than", value: 5 }],
      conditionMatch: "any",
      requiresAck: true,
      priorityOverride: "CRITICAL",
      onCallOnly: true,
      escalationPolicyId: "pol_1",
      enabled: false,
      fallback: true,
      activeHours: [{ days: ["mon", "fri"], from: "22:00", to: "06:00" }],
      timeZone: "Europe/Berlin",
      groupBy: ["data.host", "priority"],
      groupMinutes: 30,
      atLeast: { count: 5, withinMinutes: 10 },
      chain: "checkout",
      position: 3,
    };

    expect(v.parse(RuleInput, rule)).toEqual(rule);
    expect(v.parse(RuleInput, { ...rule, activeHours: [] })).toEqual({ ...rule, activeHours: null });
  });

  it("with a wrong group or threshold gets a fault that names the field", () => {
    const within = { count: 1, withinMinutes: 1_441 };
    expect(faultsOf(RuleInput, { ...input, groupBy: ["host"], groupMinutes: 0, atLeast: within })).toEqual([
      "groupBy.0: A field is one of eventKey, title, body, priority, detail, url, sender, or data.<path>, such as data.customer.tier.",
      "groupMinutes: groupMinutes must be a whole number from 1 to 1440.",
      "atLeast.count: atLeast.count must be a whole number from 2 to 10000.",
      "atLeast.withinMinutes: atLeast.withinMinutes must be a whole number from 1 to 1440.",
    ]);
    expect(faultsOf(RuleInput, { ...input, groupBy: ["title", "title"] })).toEqual([
      "groupBy.1: groupBy has this field twice.",
    ]);
    expect(findGroupingFaults({ groupBy: ["title"], groupMinutes: null, atLeast: null })).toMatchObject([
      { field: "groupMinutes" },
    ]);
    expect(findGroupingFaults({ groupBy: null, groupMinutes: 5, atLeast: null })).toMatchObject([{ field: "groupBy" }]);
    expect(findGroupingFaults({ groupBy: [], groupMinutes: 5, atLeast: null })).toEqual([]);
  });

  it("may have active hours in the format of on-call restrictions", () => {
    const hours = { days: ["mon"], from: "09:00", to: "17:00" };
    const faultsOfHours = (activeHours: unknown) => faultsOf(RuleInput, { ...input, activeHours, timeZone: "UTC" });

    expect(faultsOfHours(Array.from({ length: 10 }, () => hours))).toEqual([]);
    expect(faultsOfHours(Array.from({ length: 11 }, () => hours))).toEqual([
      "activeHours: activeHours must have at most 10 entries.",
    ]);
    expect(faultsOfHours(hours)).toEqual(["activeHours: activeHours must be an array of {days, from, to}, or null."]);
    expect(faultsOf(RuleInput, { ...input, timeZone: "Mars/Olympus" })).toHaveLength(1);
    expect(faultsOf(RuleInput, { ...input, fallback: "yes" })).toEqual(["fallback: fallback must be true or false."]);
  });

  const HOURS = "probe.everyHours: everyHours must be a whole number from 24 to 168.";

  it.each<[string, unknown, string[]]>([
    ["may have a probe every 24 hours", { everyHours: 24 }, []],
    ["may have a probe every 168 hours", { everyHours: 168 }, []],
    ["may have no probe", null, []],
    ["may not have a probe every 23 hours", { everyHours: 23 }, [HOURS]],
    ["may not have a probe every 169 hours", { everyHours: 169 }, [HOURS]],
    ["may not have a text as its probe", "weekly", ["probe: probe must be null or an object: {everyHours}."]],
  ])("%s", (_title, probe, expected) => {
    expect([faultsOf(RuleInput, { ...input, probe }), faultsOf(RulePatch, { probe })]).toEqual([expected, expected]);
  });

  it("may lack fallback and active hours, as rules of earlier versions do", () => {
    const stored = {
      ...v.parse(RuleInput, input),
      id: "rule_1",
      workspaceId: "ws_1",
      version: 1,
      createdAt: "",
      updatedAt: "",
    };
    const { fallback: _f, activeHours: _h, timeZone: _z, ...old } = stored;

    expect(v.parse(RoutingRule, old)).toEqual(stored);
  });

  it("must have one to ten target groups", () => {
    const groups = (count: number) => to(...Array.from({ length: count }, (_, index) => `grp_${index}`));

    expect(faultsOf(RuleInput, { ...input, targets: groups(10) })).toEqual([]);
    expect(faultsOf(RuleInput, { ...input, targets: groups(11) })).toEqual([
      "targets: targets must have at most 10 groups.",
    ]);
    expect(faultsOf(RuleInput, { ...input, targets: [] })).toEqual(["targets: targets must have at least one group."]);
  });

  it("must have a name of one to a hundred characters", () => {
    expect(faultsOf(RuleInput, { ...input, name: "🚨".repeat(100) })).toEqual([]);
    expect(faultsOf(RuleInput, { ...input, name: "🚨".repeat(101) })).toEqual([
      "name: name must have at most 100 characters.",
    ]);
    expect(faultsOf(RuleInput, { ...input, name: "" })).toEqual(["name: name must not be empty."]);
  });

  it.each([
    ["targets that are a text", { targets: "grp_1" }, "targets: targets must be an array."],
    ["a target that is a text", { targets: ["grp_1"] }, "targets.0: A target must be an object: {type, groupId}."],
    [
      "a target of the type user",
      { targets: [{ type: "user", groupId: "grp_1" }] },
      'targets.0.type: type must be "group".',
    ],
    [
      "a user's id as the id of a group",
      { targets: to("usr_1") },
      "targets.0.groupId: groupId must be the id of a group of this workspace.",
    ],
    [
      "a path as the id of a group",
      { targets: to("grp_1", "grp_2/../usr_1") },
      "targets.1.groupId: groupId must be the id of a group of this workspace.",
    ],
    ["a text as requiresAck", { requiresAck: "yes" }, "requiresAck: requiresAck must be true or false."],
    ["a number as onCallOnly", { onCallOnly: 1 }, "onCallOnly: onCallOnly must be true or false."],
    [
      "a number as the escalation policy",
      { escalationPolicyId: 5 },
      "escalationPolicyId: escalationPolicyId must be a string or null.",
    ],
    [
      "a group as the escalation policy",
      { escalationPolicyId: "grp_1" },
      "escalationPolicyId: escalationPolicyId must be the id of an escalation policy of this workspace.",
    ],
    [
      "an unknown priority",
      { priorityOverride: "SEVERE" },
      "priorityOverride: A priority is one of LOW, NORMAL, HIGH, URGENT, CRITICAL.",
    ],
  ])("is refused with %s", (_wrong, fields, fault) => {
    expect(faultsOf(RuleInput, { ...input, ...fields })).toEqual([fault]);
  });
});

describe("an update of a routing rule", () => {
  it("changes only the given fields", () => {
    expect(v.parse(RulePatch, { enabled: false, escalationPolicyId: null })).toEqual({
      enabled: false,
      escalationPolicyId: null,
    });
    expect(v.parse(RulePatch, {})).toEqual({});
  });

  it.each([
    ["set the version", { version: 7 }, "version"],
    ["set the id", { id: "rule_2" }, "id"],
    ["set enabled to a text", { enabled: "no" }, "enabled"],
    ["remove the name", { name: undefined }, "name"],
    ["remove all targets", { targets: [] }, "targets"],
  ])("may not %s", (_, patch, field) => {
    const { issues = [] } = v.safeParse(RulePatch, patch);

    expect(issues.map((issue) => v.getDotPath(issue))).toEqual([field]);
  });
});
