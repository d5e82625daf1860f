import { expect, it } from "vitest";
import * as v from "valibot";
import { emptyDraft, toConditionDrafts, toConditions, toRuleInput } from "../../console/pages/rule/draft.ts";
import { Conditions } from "../../core/domain/rules/matching/index.ts";

it("the conditions of a rule mean the same after they were read into a draft and saved", () => {
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

it("an operator that does not compare texts is sent without the ignore-case flag", () => {
  const [draft] = toConditionDrafts([{ field: "data.n", operator: "equals", value: "5", ignoreCase: true }]);

  expect(toConditions([{ ...draft!, operator: "greater_than" }])).toEqual([
    { field: "data.n", operator: "greater_than", value: "5" },
  ]);
});

it("a rule that leaves its chain has no position", () => {
  expect(toRuleInput({ ...emptyDraft, chain: "", position: "3" })).toMatchObject({ chain: null, position: null });
});
