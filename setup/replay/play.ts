import { sentBy } from "../../core/domain/event/event.ts";
import type { Channel } from "../../core/domain/device/channel.ts";
import type { NotificationRules } from "../../core/domain/people/notification-rules.ts";
import { MINUTE_MS } from "../../core/domain/basics/units.ts";
import { createGateKeeper } from "../../core/domain/planning/storm.ts";
import { rehearse } from "../rehearsal.ts";
import type { SetUp } from "../write.ts";
import type { Notified, Recorded } from "./record.ts";

/* Plays a recorded alert through a set-up, by the planner of real deliveries, and compares the notified people with the record. */

/** The first notification of a person by the set-up: when (milliseconds), by which channels, and by which rule. */
type Ours = { person: string; at: number; channels: readonly Channel[] | "every device"; rule: string };

/** `joined`: rules that notify nobody because another alert of the group did. */
export type Played = { matched: readonly string[]; silence: string | undefined; joined: string[]; notified: Ours[] };

/** Returns when an alert stopped notifying people, in milliseconds. */
const stopOf = ({ ackAt, endAt }: Recorded): number => Math.min(ackAt ?? Infinity, endAt ?? Infinity);

const earliest = <One extends { person: string; at: number }>(some: readonly One[]): One[] => [
  ...some
    .toSorted((one, other) => one.at - other.at)
    .reduce((first, one) => (first.has(one.person) ? first : first.set(one.person, one)), new Map<string, One>())
    .values(),
];

/** Prepares a set-up. Alerts must be played in chronological order, because rules may group them. `isAlone`: whether no group is open. */
export const player = (setUp: SetUp, own: readonly NotificationRules[] = [], isAlone = false) => {
  const outcomeOf = rehearse(setUp, own, isAlone ? undefined : createGateKeeper());
  return (alert: Recorded): Played => {
    const { tellings, ...outcome } = outcomeOf(sentBy(alert.event, alert.sender), alert.at, alert.id);
    const stop = stopOf(alert);
    const all = tellings.flatMap(({ person, minutes, rule, pages }): Ours[] => {
      const told = alert.at + Math.round(minutes * MINUTE_MS);
      // An acknowledgement before a step stops the step, and the later steps of people's own rules.
      if (told >= stop) return [];
      const [first] = pages ?? [{ at: told, ways: undefined }];
      if (first === undefined || first.at >= stop) return [];
      return [{ person, at: first.at, channels: first.ways ?? "every device", rule }];
    });
    return { ...outcome, notified: earliest(all) };
  };
};

export const verdicts = ["nobody", "other person", "later", "earlier", "more people", "same"] as const;
export type Verdict = (typeof verdicts)[number];

/**
 * One person of one alert. `nobody`: the other service notified this person, and the set-up notifies nobody instead.
 * `other person`: it notifies somebody else, who is in `ours`.
 */
export type Row = { verdict: Verdict; theirs: Notified | undefined; ours: Ours | undefined };

/** The tolerance for clocks and queues: a notification this much earlier or later counts as the same. */
const TOLERANCE_MS = MINUTE_MS;

export const compareAlert = ({ notified }: Recorded, played: Played): Row[] => {
  const theirs = earliest(notified);
  const isIn = (some: readonly { person: string }[], person: string) => some.some((one) => one.person === person);
  const both = theirs.flatMap((one): Row[] => {
    const ours = played.notified.find(({ person }) => person === one.person);
    if (ours === undefined) return [];
    const late = ours.at - one.at;
    return [{ verdict: Math.abs(late) <= TOLERANCE_MS ? "same" : late > 0 ? "later" : "earlier", theirs: one, ours }];
  });
  const missing = theirs.filter(({ person }) => !isIn(played.notified, person));
  const added = played.notified.filter(({ person }) => !isIn(theirs, person));
  return [
    ...both,
    ...missing.map((one, index): Row => {
      const ours = added[index];
      return { verdict: ours === undefined ? "nobody" : "other person", theirs: one, ours };
    }),
    ...added.slice(missing.length).map((ours): Row => ({ verdict: "more people", theirs: undefined, ours })),
  ];
};
