import * as v from "valibot";
import { patchSchema } from "../basics/changes.ts";
import { NAME_MAX_CODE_POINTS } from "../basics/limits.ts";
import { nameSchema } from "../basics/text.ts";
import { timestampSchema } from "../basics/clock/timestamp.ts";
import { ConditionMatch, Conditions, EventKeyPattern } from "./matching/index.ts";
import { Afterwards, Weekly } from "./silence.ts";

const entries = {
  name: nameSchema("name", NAME_MAX_CODE_POINTS),
  eventKey: EventKeyPattern,
  conditions: Conditions,
  conditionMatch: ConditionMatch,
  startsAt: timestampSchema("startsAt"),
  endsAt: v.nullable(timestampSchema("endsAt")),
  weekly: v.nullable(Weekly),
  includeUrgent: v.boolean("includeUrgent must be true or false."),
  afterwards: Afterwards,
  /** Whether the silence covers all events; not stored, because it follows from the event key and the conditions. */
  everything: v.boolean("everything must be true or false."),
};

/** A silence without `startsAt` starts at once. */
export const SilenceInput = v.strictObject({
  name: entries.name,
  eventKey: entries.eventKey,
  conditions: v.optional(entries.conditions, []),
  conditionMatch: v.optional(entries.conditionMatch, "all"),
  startsAt: v.exactOptional(entries.startsAt),
  endsAt: v.optional(entries.endsAt, null),
  weekly: v.optional(entries.weekly, null),
  includeUrgent: v.optional(entries.includeUrgent, false),
  afterwards: v.optional(entries.afterwards, "tell"),
  everything: v.optional(entries.everything, false),
});
export type SilenceInput = v.InferOutput<typeof SilenceInput>;

export const SilencePatch = patchSchema(entries);
export type SilencePatch = v.InferOutput<typeof SilencePatch>;
