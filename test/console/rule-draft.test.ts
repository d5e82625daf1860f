import { expect, it } from "vitest";
import * as v from "valibot";
import { toConditionDrafts, toConditions, toDraft, toInput } from "../../console/pages/rule/draft.ts";
import { RuleInput } from "../../core/domain/rules/rule-input.ts";
import { Conditions } from "../../core/domain/rules/matching/index.ts";

it("conditions that were read and are saved again mean the same", () => {
  const conditions = v.parse(Conditions, [
    { field: "title", operator: "contains", value: "disk", not: true, ignoreCase: true },
    { field: "sender", operator: "one_of", value: ["Checkout", "Billing"], ignoreCase: true },
    { field: "eventKey", operator: "ends_with", value: ".failed" },
    { field: "data.n", operator: "between", value: ["1", "5"], not: true },
    { field: "url", operator: "is_empty", not: true },
    { field: "detail", operator: "matches_regex", value: "^at " },
  ]);

  expect(v.parse(Conditions, toConditions(toConditionDrafts(conditions)))).toEqual(conditions);
});

it("an operator that compares no texts is sent without the case that was to be ignored", () => {
  const [draft] = toConditionDrafts([{ field: "data.n", operator: "equals", value: "5", ignoreCase: true }]);

  expect(toConditions([{ ...draft!, operator: "greater_than" }])).toEqual([
    { field: "data.n", operator: "greater_than", value: "5" },
  ]);
});

it("a rule that was read and is saved again is the same", () => {
  const input = v.parse(RuleInput, {
    name: "Nights",
    eventKey: "disk.*",
    targets: [{ type: "group", groupId: "grp_1" }],
    conditions: [{ field: "sender", operator: "equals", value: "Checkout", not: true }],
    conditionMatch: "any",
    priorityOverride: "CRITICAL",
    escalationPolicyId: "pol_1",
    fallback: true,
    activeHours: [{ days: ["sat"], from: "22:00", to: "06:00" }],
    timeZone: "Europe/Berlin",
    groupBy: ["data.host", "priority"],
    groupMinutes: 45,
    atLeast: { count: 3, withinMinutes: 20 },
  });
  const rule = {
    ...input,
    id: "rule_1",
    workspaceId: "ws_1",
    version: 1,
    createdAt: "",
    updatedAt: "",
    createdBy: null,
    updatedBy: null,
    warnings: [],
  };

  expect(v.parse(RuleInput, toInput(toDraft(rule)))).toEqual(input);
  expect(toInput(toDraft({ ...rule, activeHours: null, timeZone: null }))).toMatchObject({
    activeHours: null,
    timeZone: null,
  });
});
