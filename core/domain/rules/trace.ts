import * as v from "valibot";

/** Why a rule does or does not match an event: its key and every condition, each with expected and actual value. */
export const Trace = v.object({
  matches: v.boolean(),
  enabled: v.boolean(),
  eventKey: v.object({ expected: v.string(), actual: v.string(), verdict: v.boolean() }),
  conditionMatch: v.picklist(["all", "any"]),
  conditions: v.array(
    v.object({
      field: v.string(),
      operator: v.string(),
      expected: v.unknown(),
      actual: v.unknown(),
      verdict: v.boolean(),
    }),
  ),
});
