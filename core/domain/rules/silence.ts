import * as v from "valibot";
import type { Fault } from "../basics/refusal.ts";
import { fromIso, toIso } from "../basics/time.ts";
import { Restriction, TimeZone, withinWeek, zoneOf } from "../people/on-call/index.ts";
import {
  compileRules,
  type Condition,
  ConditionMatch,
  type MatchableEvent,
  StoredConditions,
} from "./matching/index.ts";

/** Hours of the week by the wall clock of a time zone; they mean the same as an on-call restriction. */
export const Weekly = v.strictObject(
  { ...Restriction.entries, timeZone: TimeZone },
  "weekly must be an object: {days, from, to, timeZone}.",
);

const KeptConditions: v.GenericSchema<unknown, Condition[]> = StoredConditions;

/** A silence as it is stored. It is in force from `startsAt` to `endsAt`; with `weekly`, only in those hours. */
export const Silence = v.object({
  id: v.string(),
  workspaceId: v.string(),
  name: v.string(),
  eventKey: v.string(),
  conditions: KeptConditions,
  conditionMatch: ConditionMatch,
  startsAt: v.string(),
  /** Null: the silence repeats every week without an end. */
  endsAt: v.nullable(v.string()),
  weekly: v.nullable(Weekly),
  includeUrgent: v.boolean(),
  version: v.number(),
  createdAt: v.string(),
  updatedAt: v.string(),
});
export type Silence = v.InferOutput<typeof Silence>;

/** A silence as the interface shows it: whether it is in force, and until when that cannot change (null: for ever). */
export const SilenceView = v.object({ ...Silence.entries, active: v.boolean(), until: v.nullable(v.string()) });
export type SilenceView = v.InferOutput<typeof SilenceView>;

type Times = Pick<Silence, "startsAt" | "endsAt" | "weekly">;

/** The faults in how a silence's times fit together. */
export const silenceFaults = ({ startsAt, endsAt, weekly }: Times): Fault[] => {
  if (endsAt === null)
    return weekly === null
      ? [{ field: "endsAt", code: "required", message: "endsAt is required for a silence that is not weekly." }]
      : [];
  return endsAt > startsAt
    ? []
    : [{ field: "endsAt", code: "invalid", message: "endsAt must be later than startsAt." }];
};

/** Makes a function that says whether a silence is in force at a moment (milliseconds), and until when that holds. */
export const compileSilence = ({
  startsAt,
  endsAt,
  weekly,
}: Times): ((ms: number) => { active: boolean; until: number }) => {
  const start = fromIso(startsAt) ?? Infinity;
  const end = endsAt === null ? Infinity : (fromIso(endsAt) ?? 0);
  const hours =
    weekly === null ? () => ({ within: true, until: Infinity }) : withinWeek(zoneOf(weekly.timeZone), [weekly]);
  return (ms) => {
    if (ms >= end) return { active: false, until: Infinity };
    if (ms < start) return { active: false, until: start };
    const { within, until } = hours(ms);
    return { active: within, until: Math.min(until, end) };
  };
};

/** What decides whether a silence covers an event. `urgent`: the event, or a rule that matched it, is URGENT. */
type Covered = MatchableEvent & { receivedAt: number; urgent: boolean };

/** Compiles silences into a function that finds the first one that covers an event. */
export const compileSilences = (silences: readonly Silence[]): ((event: Covered) => Silence | undefined) => {
  const matching = compileRules(
    silences.map(({ id, eventKey, conditions, conditionMatch }) => ({ id, eventKey, conditions, conditionMatch })),
  );
  const times = new Map(silences.map((silence) => [silence.id, compileSilence(silence)]));
  return (event) => {
    if (silences.length === 0) return undefined;
    // A silence that could not be decided within the budget covers nothing: a page too many is better than one too few.
    const { matched, overBudget } = matching.match(event);
    return silences.find(
      ({ id, includeUrgent }) =>
        matched.includes(id) &&
        !overBudget.includes(id) &&
        (includeUrgent || !event.urgent) &&
        times.get(id)?.(event.receivedAt).active === true,
    );
  };
};

export const toSilenceView = (silence: Silence, now: number): SilenceView => {
  const { active, until } = compileSilence(silence)(now);
  return { ...silence, active, until: until === Infinity ? null : toIso(until) };
};
