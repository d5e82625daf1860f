import * as v from "valibot";
import { fromIso, toIso } from "../basics/time.ts";
import { DAY_MS } from "../basics/units.ts";
import type { DutyGroup } from "./duty.ts";
import type { OverridePeriod } from "./override.ts";
import { GAP_HORIZON_DAYS } from "./limits.ts";
import { listStretches } from "./stretches.ts";

/** A time on call, in milliseconds. */
type Span = { start: number; end: number };

/** The first times on call that a person loses and gains by a change of the schedule. */
export type Move = { userId: string; lost: Span | undefined; gained: Span | undefined; wasOnCall: boolean };

type Duties = { start: number; end: number; userIds: ReadonlySet<string> }[];

/** Lists the spans between `from` and `to` (ms) in which the same people are on call, in order. */
const listDutySpans = (group: DutyGroup, from: number, to: number): Duties =>
  [...listStretches(group, from, to)].map(({ start, end, people }) => ({
    start,
    end,
    userIds: new Set(people.map(({ userId }) => userId)),
  }));

/** Yields who is on call before and after a change, for each span between two handoffs of either schedule. */
function* pairDuties(before: Duties, after: Duties) {
  let [one, other] = [0, 0];
  for (;;) {
    const [was, is] = [before[one], after[other]];
    if (was === undefined || is === undefined) return;
    const end = Math.min(was.end, is.end);
    yield { start: Math.max(was.start, is.start), end, was: was.userIds, is: is.userIds };
    if (was.end === end) one += 1;
    if (is.end === end) other += 1;
  }
}

/** Extends the span by an adjoining span. If the second span does not adjoin, returns the first span unchanged. */
const extendSpan = (span: Span | undefined, { start, end }: Span): Span =>
  span === undefined ? { start, end } : span.end === start ? { start: span.start, end } : span;

/** Returns the first time on call that each person loses and gains by a change, in the four weeks after `from` (milliseconds). */
export const listDutyMoves = (before: DutyGroup, after: DutyGroup, from: number): Move[] => {
  const to = from + GAP_HORIZON_DAYS * DAY_MS;
  const was = listDutySpans(before, from, to);
  const onCallBefore = new Set(was.flatMap(({ userIds }) => [...userIds]));
  const moves = new Map<string, Move>();
  const recordDutyMove = (userId: string, kind: "lost" | "gained", span: Span): void => {
    const known = moves.get(userId) ?? {
      userId,
      lost: undefined,
      gained: undefined,
      wasOnCall: onCallBefore.has(userId),
    };
    moves.set(userId, { ...known, [kind]: extendSpan(known[kind], span) });
  };
  for (const span of pairDuties(was, listDutySpans(after, from, to))) {
    for (const userId of span.was) if (!span.is.has(userId)) recordDutyMove(userId, "lost", span);
    for (const userId of span.is) if (!span.was.has(userId)) recordDutyMove(userId, "gained", span);
  }
  return [...moves.values()];
};

/** A time in which other people are on call after a change. Times are in ISO 8601; people are ids. */
export const DutyChange = v.object({
  start: v.string(),
  end: v.string(),
  before: v.array(v.string()),
  after: v.array(v.string()),
});
export type DutyChange = v.InferOutput<typeof DutyChange>;

/** The first changes of who is on call. `more`: the number of further changes. */
export const DutyChanges = v.object({ changes: v.array(DutyChange), more: v.number() });
export type DutyChanges = v.InferOutput<typeof DutyChanges>;

const CHANGES_LISTED = 20;

/** Lists when other people are on call after a change of the schedule. `from` and `to`: in milliseconds. */
export const listDutyChanges = (before: DutyGroup, after: DutyGroup, from: number, to: number): DutyChanges => {
  const found: DutyChange[] = [];
  for (const { start, end, was, is } of pairDuties(listDutySpans(before, from, to), listDutySpans(after, from, to))) {
    if (was.size === is.size && [...was].every((userId) => is.has(userId))) continue;
    found.push({ start: toIso(start), end: toIso(end), before: [...was], after: [...is] });
  }
  return { changes: found.slice(0, CHANGES_LISTED), more: Math.max(0, found.length - CHANGES_LISTED) };
};

export const addOverrides = (group: DutyGroup, newOverrides: readonly OverridePeriod[]): DutyGroup => ({
  ...group,
  overrides: [...group.overrides, ...newOverrides],
});

export const removeOverrides = (group: DutyGroup, ids: readonly string[]): DutyGroup => ({
  ...group,
  overrides: group.overrides.filter(({ id }) => !ids.includes(id)),
});

/** Lists who is on call instead of whom, from the first override's start (or `now`) to the last override's end. */
export const listOverrideChanges = (
  before: DutyGroup,
  after: DutyGroup,
  times: readonly { start: string; end: string }[],
  now: number,
): DutyChanges => {
  const from = Math.max(now, Math.min(...times.map(({ start }) => fromIso(start) ?? now)));
  const to = Math.max(from, ...times.map(({ end }) => fromIso(end) ?? now));
  return listDutyChanges(before, after, from, to);
};

export type DutyWords = {
  nobody: string;
  and: string;
  during: (start: string, end: string) => string;
  insteadOf: (after: string, before: string) => string;
};

const english: DutyWords = {
  nobody: "nobody",
  and: "and",
  during: (start, end) => `${start} to ${end}`,
  insteadOf: (after, before) => `${after} instead of ${before}`,
};

/** Returns a text such as "Mon 09:00 to Tue 09:00: Dan instead of Yuki". */
export const formatDutyChange = (
  { start, end, before, after }: DutyChange,
  {
    nameOf,
    timeOf,
    words = english,
  }: { nameOf: (id: string) => string; timeOf: (at: string) => string; words?: DutyWords },
): string => {
  const describePeople = (ids: readonly string[]): string => ids.map(nameOf).join(` ${words.and} `) || words.nobody;
  return `${words.during(timeOf(start), timeOf(end))}: ${words.insteadOf(describePeople(after), describePeople(before))}`;
};
