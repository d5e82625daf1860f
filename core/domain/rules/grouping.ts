import * as v from "valibot";
import { wholeNumber } from "../basics/number.ts";
import type { Fault } from "../basics/refusal.ts";
import { Field, readField, type MatchableEvent } from "./matching/field.ts";

export const GROUP_FIELDS_MAX = 3;
export const GROUP_MINUTES_MAX = 1_440;
const AT_LEAST_COUNT_MIN = 2;
export const AT_LEAST_COUNT_MAX = 10_000;

/** The fields by whose values a rule's events are grouped; empty: all events of the rule are one group. Null: no groups. */
export const GroupBy = v.nullable(
  v.pipe(
    v.array(Field, "groupBy must be an array of fields, or null."),
    v.maxLength(GROUP_FIELDS_MAX, `groupBy must have at most ${GROUP_FIELDS_MAX} fields.`),
    v.checkItems((field, index, fields) => fields.indexOf(field) === index, "groupBy has this field twice."),
  ),
);
/** For how many minutes after the first event of a group the others page nobody. */
export const GroupMinutes = v.nullable(wholeNumber("groupMinutes", 1, GROUP_MINUTES_MAX));
/** A rule fires at the event that makes it `count` within `withinMinutes`. */
export const AtLeast = v.nullable(
  v.strictObject(
    {
      count: wholeNumber("atLeast.count", AT_LEAST_COUNT_MIN, AT_LEAST_COUNT_MAX),
      withinMinutes: wholeNumber("atLeast.withinMinutes", 1, GROUP_MINUTES_MAX),
    },
    "atLeast must be an object: {count, withinMinutes}, or null.",
  ),
);
export type AtLeast = NonNullable<v.InferOutput<typeof AtLeast>>;

/** The fields of a rule that say which of its events page. */
export type Grouping = {
  groupBy: readonly string[] | null;
  groupMinutes: number | null;
  atLeast: AtLeast | null;
};

/** The faults in how they fit together. */
export const groupingFaults = ({ groupBy, groupMinutes }: Grouping): Fault[] => {
  if ((groupBy === null) === (groupMinutes === null)) return [];
  return groupBy === null
    ? [
        {
          field: "groupBy",
          code: "required",
          message: "groupBy is required with groupMinutes; [] is one group for the whole rule.",
        },
      ]
    : [{ field: "groupMinutes", code: "required", message: "groupMinutes is required with groupBy, such as 30." }];
};

/** The conditions before an event of a rule pages: its group, how long that lasts, and the threshold. */
export type Gate = {
  /** Names the group. A changed rule begins new groups. */
  name: string;
  minutes: number;
  atLeast: AtLeast | null;
};

/** A number and its decimal text are one value, as for conditions; a missing field is one, too. */
const valueOf = (field: string, event: MatchableEvent): string | null => {
  const value = readField(field, event);
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
};

/** The values by which an event is in its group, in the order of `groupBy`. */
export const groupValues = ({ groupBy }: Pick<Grouping, "groupBy">, event: MatchableEvent) =>
  (groupBy ?? []).map((field) => ({ field, value: valueOf(field, event) }));

/** The group of an event under a rule, and its effect; null if the rule has no groups. */
export const GroupOfRule = v.nullable(
  v.object({
    /** The event's values of the group's fields; empty if all events of the rule are one group. */
    values: v.array(v.object({ field: v.string(), value: v.nullable(v.string()) })),
    /** The event that paged in its place, and how many there had been of how many; null otherwise. */
    into: v.nullable(v.string()),
    below: v.nullable(v.object({ count: v.number(), of: v.number() })),
  }),
);
export type GroupOfRule = v.InferOutput<typeof GroupOfRule>;

/** `grouped`: the plan's entry for the rule. Of a rule that is not stored any more, the values are unknown. */
export const groupOfRule = (
  grouped: { into?: string | undefined; below?: { count: number; of: number } | undefined } | undefined,
  rule: Pick<Grouping, "groupBy"> | undefined,
  event: MatchableEvent,
): GroupOfRule =>
  grouped === undefined
    ? null
    : {
        values: rule === undefined ? [] : groupValues(rule, event),
        into: grouped.into ?? null,
        below: grouped.below ?? null,
      };

/**
 * The gate of a rule that has one. A threshold without groups counts all events of the rule. Events that resolve others
 * are groups of their own: the news that one alert is over must not keep the next alert quiet.
 */
export const gateOf = (
  rule: Grouping & { id: string; version: number },
  event: MatchableEvent & { resolves?: string | undefined },
): Gate | undefined => {
  const { groupBy, groupMinutes, atLeast } = rule;
  const minutes = groupMinutes ?? atLeast?.withinMinutes;
  if (minutes === undefined) return undefined;
  const values = groupValues({ groupBy }, event).map(({ value }) => value);
  const resolving = atLeast === null && event.resolves !== undefined ? [true] : [];
  return { name: JSON.stringify([rule.id, rule.version, ...values, ...resolving]), minutes, atLeast };
};
