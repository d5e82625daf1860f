import * as v from "valibot";
import { Authored, versionedEntries } from "../basics/authored.ts";
import { WorkspaceId } from "../basics/ids.ts";
import type { Fault } from "../basics/refusal.ts";
import { fromIso, toIso } from "../basics/time.ts";
import { Restriction, TimeZone } from "../basics/clock/week.ts";
import { compileWeekHours } from "../basics/clock/weekly.ts";
import { getZone } from "../basics/clock/zone.ts";
import {
  compileRules,
  PATTERNS_UNITS_MAX,
  type Condition,
  ConditionMatch,
  type MatchableEvent,
  StoredConditions,
} from "./matching/index.ts";

/** The weekly hours of a silence, in the format of an on-call restriction. */
export const Weekly = v.strictObject(
  { ...Restriction.entries, timeZone: TimeZone },
  "weekly must be an object: {days, from, to, timeZone}.",
);

/** Whether people are notified of suppressed events when the silence ends (`tell`) or not (`drop`). */
export const Afterwards = v.picklist(["tell", "drop"], "afterwards must be tell or drop.");
export type Afterwards = v.InferOutput<typeof Afterwards>;

const KeptConditions: v.GenericSchema<unknown, Condition[]> = StoredConditions;

/** A silence is active from `startsAt` to `endsAt`; with `weekly`, only in the weekly hours. */
export const Silence = v.object({
  id: v.string(),
  workspaceId: WorkspaceId,
  name: v.string(),
  eventKey: v.string(),
  conditions: KeptConditions,
  conditionMatch: ConditionMatch,
  startsAt: v.string(),
  /** The silence's end; null if the silence repeats weekly without end. */
  endsAt: v.nullable(v.string()),
  weekly: v.nullable(Weekly),
  includeUrgent: v.boolean(),
  /** A silence that was stored before this field existed notifies people at its end. */
  afterwards: v.optional(Afterwards, "tell"),
  ...versionedEntries,
  ...Authored.entries,
});
export type Silence = v.InferOutput<typeof Silence>;

/** A silence as the API shows it. `until`: when `active` changes next; null if `active` never changes. */
export const SilenceView = v.object({
  ...Silence.entries,
  /** True if the silence has neither an event key nor conditions. */
  everything: v.boolean(),
  active: v.boolean(),
  until: v.nullable(v.string()),
});
export type SilenceView = v.InferOutput<typeof SilenceView>;

/** How many of the compared events the silence would have suppressed. */
export const WouldHaveCovered = v.object({
  events: v.number(),
  /** How many events were compared, and the time of the oldest of these events. */
  of: v.number(),
  since: v.string(),
});
export type WouldHaveCovered = v.InferOutput<typeof WouldHaveCovered>;

export const SavedSilence = v.object({ ...SilenceView.entries, wouldHaveCovered: WouldHaveCovered });
export type SavedSilence = v.InferOutput<typeof SavedSilence>;

type Times = Pick<Silence, "startsAt" | "endsAt" | "weekly">;

/** Returns a fault if a silence that is not weekly has no end, or if a silence does not end after its start. */
export const findTimeFaults = ({ startsAt, endsAt, weekly }: Times): Fault[] => {
  if (endsAt === null)
    return weekly === null
      ? [{ field: "endsAt", code: "required", message: "endsAt is required for a silence that is not weekly." }]
      : [];
  return endsAt > startsAt
    ? []
    : [{ field: "endsAt", code: "invalid", message: "endsAt must be later than startsAt." }];
};

type SilenceScope = Pick<Silence, "eventKey" | "conditions">;

/** Returns whether the silence covers every event, because it names no event key and has no conditions. */
export const coversAllEvents = ({ eventKey, conditions }: SilenceScope): boolean =>
  eventKey === "*" && conditions.length === 0;

/** Returns a fault if `everything` is false for a silence of all events, or true for a silence of some events. */
export const findScopeFaults = (scope: SilenceScope, everything: boolean): Fault[] => {
  if (coversAllEvents(scope) === everything) return [];
  const message = everything
    ? 'everything is true, but eventKey or conditions limit this silence. Leave out "everything", or eventKey and conditions.'
    : 'This silence covers every event. If you mean that, set everything to true; otherwise name an eventKey other than "*", or conditions.';
  return [{ field: "everything", code: everything ? "invalid" : "required", message }];
};

/** Returns a function that says whether the silence is active at a time, and when this changes (in milliseconds). */
export const compileSilence = (times: Times): ((ms: number) => { active: boolean; until: number }) => {
  const { startsAt, endsAt, weekly } = times;
  const start = fromIso(startsAt) ?? Infinity;
  const end = endsAt === null ? Infinity : (fromIso(endsAt) ?? 0);
  const hours =
    weekly === null ? () => ({ within: true, until: Infinity }) : compileWeekHours(getZone(weekly.timeZone), [weekly]);
  return (ms) => {
    if (ms >= end) return { active: false, until: Infinity };
    if (ms < start) return { active: false, until: start };
    const { within, until } = hours(ms);
    return { active: within, until: Math.min(until, end) };
  };
};

/** An event that may be silenced. `at`: the time to check, in milliseconds. `urgent`: the event or a matching rule is URGENT. */
type CoveredEvent = MatchableEvent & { at: number; urgent: boolean };

/** Compiles silences. `silenceOf`: finds the silence that covers an event; `estimateBytes`: the bytes of compiled patterns. */
export const compileSilences = (
  silences: readonly Silence[],
): { silenceOf: (event: CoveredEvent) => Silence | undefined; estimateBytes: () => number } => {
  const matching = compileRules(
    silences.map(({ id, eventKey, conditions, conditionMatch }) => ({ id, eventKey, conditions, conditionMatch })),
    { patternsUnits: PATTERNS_UNITS_MAX },
  );
  const times = new Map(silences.map((silence) => [silence.id, compileSilence(silence)]));
  const findSilence = (event: CoveredEvent): Silence | undefined => {
    if (silences.length === 0) return undefined;
    // A silence that the budget left undecided does not apply, because an unneeded page is better than a missing page.
    const { matched, overBudget } = matching.match(event);
    return silences.find(
      ({ id, includeUrgent }) =>
        matched.includes(id) &&
        !overBudget.includes(id) &&
        (includeUrgent || !event.urgent) &&
        times.get(id)?.(event.at).active === true,
    );
  };
  return { silenceOf: findSilence, estimateBytes: () => matching.estimateBytes() };
};

export const toSilenceView = (silence: Silence, now: number): SilenceView => {
  const { active, until } = compileSilence(silence)(now);
  return { ...silence, everything: coversAllEvents(silence), active, until: until === Infinity ? null : toIso(until) };
};
