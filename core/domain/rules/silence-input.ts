import * as v from "valibot";
import { changesOf } from "../basics/changes.ts";
import { NAME_MAX_CODE_POINTS } from "../basics/limits.ts";
import { nameText } from "../basics/text.ts";
import { timestamp } from "../basics/clock/timestamp.ts";
import { ConditionMatch, Conditions, EventKeyPattern } from "./matching/index.ts";
import { Afterwards, Weekly } from "./silence.ts";

const entries = {
  name: nameText("name", NAME_MAX_CODE_POINTS),
  eventKey: EventKeyPattern,
  conditions: Conditions,
  conditionMatch: ConditionMatch,
  startsAt: timestamp("startsAt"),
  endsAt: v.nullable(timestamp("endsAt")),
  weekly: v.nullable(Weekly),
  includeUrgent: v.boolean("includeUrgent must be true or false."),
  afterwards: Afterwards,
  /** Whether a silence over every event is intended. It is not stored, because the silence itself says what it covers. */
  everything: v.boolean("everything must be true or false."),
};

/** A silence as created. Without `startsAt` it begins at once. */
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

/** A change of a silence: fields that are not given stay. */
export const SilencePatch = changesOf(entries);
export type SilencePatch = v.InferOutput<typeof SilencePatch>;
