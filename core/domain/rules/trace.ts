import * as v from "valibot";

/** Why a rule matches an event or does not: its key and every condition, with what was expected and what was found. */
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
