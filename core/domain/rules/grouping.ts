import * as v from "valibot";
import { wholeNumberSchema } from "../basics/number.ts";
import type { Fault } from "../basics/refusal.ts";
import { Field, readField, type MatchableEvent } from "./matching/field.ts";

export const GROUP_FIELDS_MAX = 3;
export const GROUP_MINUTES_MAX = 1_440;
const AT_LEAST_COUNT_MIN = 2;
export const AT_LEAST_COUNT_MAX = 10_000;

/** The fields by which a rule groups events. If empty, all events of the rule are one group; if null, the rule has no groups. */
export const GroupBy = v.nullable(
  v.pipe(
    v.array(Field, "groupBy must be an array of fields, or null."),
    v.maxLength(GROUP_FIELDS_MAX, `groupBy must have at most ${GROUP_FIELDS_MAX} fields.`),
    v.checkItems((field, index, fields) => fields.indexOf(field) === index, "groupBy has this field twice."),
  ),
);
/** How many minutes after the first event of a group the other events of the group page nobody. */
export const GroupMinutes = v.nullable(wholeNumberSchema("groupMinutes", 1, GROUP_MINUTES_MAX));
/** The threshold: a rule notifies people at the event that completes `count` events within `withinMinutes`. */
export const AtLeast = v.nullable(
  v.strictObject(
    {
      count: wholeNumberSchema("atLeast.count", AT_LEAST_COUNT_MIN, AT_LEAST_COUNT_MAX),
      withinMinutes: wholeNumberSchema("atLeast.withinMinutes", 1, GROUP_MINUTES_MAX),
    },
    "atLeast must be an object: {count, withinMinutes}, or null.",
  ),
);
export type AtLeast = NonNullable<v.InferOutput<typeof AtLeast>>;

export type Grouping = { groupBy: readonly string[] | null; groupMinutes: number | null; atLeast: AtLeast | null };

/** Returns a fault if only one of `groupBy` and `groupMinutes` is set. */
export const findGroupingFaults = ({ groupBy, groupMinutes }: Grouping): Fault[] => {
  if ((groupBy === null) === (groupMinutes === null)) return [];
  return groupBy === null
    ? [
        {
          field: "groupBy",
          code: "required",
          message: '"groupBy" is required with "groupMinutes"; [] makes one group for the whole rule.',
        },
      ]
    : [{ field: "groupMinutes", code: "required", message: '"groupMinutes" is required with "groupBy", such as 30.' }];
};

/** A group or threshold, which decides whether an event of a rule pages. */
export type Gate = {
  /** The group's name, which contains the rule's version, so that a change of the rule starts new groups. */
  name: string;
  minutes: number;
  atLeast: AtLeast | null;
};

/** Returns the field's value as text; null for a missing field. A number and its decimal text count as equal, as in conditions. */
const readGroupValue = (field: string, event: MatchableEvent): string | null => {
  const value = readField(field, event);
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
};

/** Returns the values by which the event is grouped, in the order of `groupBy`. */
export const listGroupValues = ({ groupBy }: Pick<Grouping, "groupBy">, event: MatchableEvent) =>
  (groupBy ?? []).map((field) => ({ field, value: readGroupValue(field, event) }));

/** The group in which a rule puts an event; null if the rule has no groups and no threshold. */
export const GroupOfRule = v.nullable(
  v.object({
    /** The event's values of the rule's `groupBy` fields; empty if all events of the rule are one group. */
    values: v.array(v.object({ field: v.string(), value: v.nullable(v.string()) })),
    /** `into`: the event that notified people instead. `below`: how many of the events that the threshold requires had arrived. */
    into: v.nullable(v.string()),
    below: v.nullable(v.object({ count: v.number(), of: v.number() })),
  }),
);
export type GroupOfRule = v.InferOutput<typeof GroupOfRule>;

/** Returns the group in which the rule put the event; null if none. `rule`: undefined if deleted, with empty `values`. */
export const toGroupOfRule = (
  grouped: { into?: string | undefined; below?: { count: number; of: number } | undefined } | undefined,
  rule: Pick<Grouping, "groupBy"> | undefined,
  event: MatchableEvent,
): GroupOfRule =>
  grouped === undefined
    ? null
    : {
        values: rule === undefined ? [] : listGroupValues(rule, event),
        into: grouped.into ?? null,
        below: grouped.below ?? null,
      };

/** Returns the rule's group or threshold for the event, if any. The end of an alert never joins a group of alerts. */
export const toGroupOrThreshold = (
  rule: Grouping & { id: string; version: number },
  event: MatchableEvent & { resolves?: string | undefined },
): Gate | undefined => {
  const { groupBy, groupMinutes, atLeast } = rule;
  const minutes = groupMinutes ?? atLeast?.withinMinutes;
  if (minutes === undefined) return undefined;
  const values = listGroupValues({ groupBy }, event).map(({ value }) => value);
  const resolving = atLeast === null && event.resolves !== undefined ? [true] : [];
  return { name: JSON.stringify([rule.id, rule.version, ...values, ...resolving]), minutes, atLeast };
};
