import { DAY_MS } from "../basics/units.ts";
import type { DutyGroup } from "./duty.ts";
import { GAP_HORIZON_DAYS } from "./limits.ts";
import { stretches } from "./stretches.ts";

/** A time, in milliseconds. */
type Span = { start: number; end: number };

/** The effect of a change on one person's time on call: the first time that they lose, and the first that they gain. */
export type Move = { userId: string; lost: Span | undefined; gained: Span | undefined; wasOnCall: boolean };

type Duties = { start: number; end: number; userIds: ReadonlySet<string> }[];

const dutiesOf = (group: DutyGroup, from: number, to: number): Duties =>
  [...stretches(group, from, to)].map(({ start, end, people }) => ({
    start,
    end,
    userIds: new Set(people.map(({ userId }) => userId)),
  }));

/** Both, cut at the handoffs of either. */
function* sideBySide(before: Duties, after: Duties) {
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

/** Extends a span that continues; keeps one that is over. */
const withSpan = (span: Span | undefined, { start, end }: Span): Span =>
  span === undefined ? { start, end } : span.end === start ? { start: span.start, end } : span;

/** The people whose time on call in the weeks after a moment (milliseconds) changes with a group. */
export const movesOf = (before: DutyGroup, after: DutyGroup, from: number): Move[] => {
  const to = from + GAP_HORIZON_DAYS * DAY_MS;
  const was = dutiesOf(before, from, to);
  const onCallBefore = new Set(was.flatMap(({ userIds }) => [...userIds]));
  const moves = new Map<string, Move>();
  const note = (userId: string, kind: "lost" | "gained", span: Span): void => {
    const known = moves.get(userId) ?? {
      userId,
      lost: undefined,
      gained: undefined,
      wasOnCall: onCallBefore.has(userId),
    };
    moves.set(userId, { ...known, [kind]: withSpan(known[kind], span) });
  };
  for (const span of sideBySide(was, dutiesOf(after, from, to))) {
    for (const userId of span.was) if (!span.is.has(userId)) note(userId, "lost", span);
    for (const userId of span.is) if (!span.was.has(userId)) note(userId, "gained", span);
  }
  return [...moves.values()];
};
