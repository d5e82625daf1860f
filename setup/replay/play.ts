import { addSender } from "../../core/domain/event/event.ts";
import type { Channel } from "../../core/domain/device/channel.ts";
import type { NotificationRules } from "../../core/domain/people/notification-rules.ts";
import { MINUTE_MS } from "../../core/domain/basics/units.ts";
import { type Compared, compareNotified } from "../../core/domain/planning/comparison.ts";
import { createGateKeeper } from "../../core/domain/planning/storm.ts";
import { createSimulator } from "../rehearsal.ts";
import type { SetUp } from "../write.ts";
import type { Notified, Recorded } from "./record.ts";

/* Plays recorded alerts through a setup, with the code that plans real deliveries, and compares the recipients. */

/** A notification of a person by the setup: when (milliseconds), by which channels, and by which rule. */
type Ours = { person: string; at: number; channels: readonly Channel[] | "every device"; rule: string };

/** `joined`: rules that notify nobody because another alert of the group did. */
export type Played = { matched: readonly string[]; silence: string | undefined; joined: string[]; notified: Ours[] };

/** In milliseconds. */
const endOfNotifying = ({ ackAt, endAt }: Recorded): number => Math.min(ackAt ?? Infinity, endAt ?? Infinity);

/**
 * Returns a function that plays alerts through a setup. Alerts must be played in chronological order, because rules may
 * group them. `isAlone`: plays each alert as the only one, without groups and thresholds.
 */
export const createAlertPlayer = (setUp: SetUp, own: readonly NotificationRules[] = [], isAlone = false) => {
  const outcomeOf = createSimulator(setUp, own, isAlone ? undefined : createGateKeeper());
  return (alert: Recorded): Played => {
    const { tellings, ...outcome } = outcomeOf(addSender(alert.event, alert.sender), alert.at, alert.id);
    const stop = endOfNotifying(alert);
    const notified = tellings.flatMap(({ person, minutes, rule, pages }): Ours[] => {
      const told = alert.at + Math.round(minutes * MINUTE_MS);
      // An acknowledgement stops later steps, also those of people's own rules.
      if (told >= stop) return [];
      const [first] = pages ?? [{ at: told, ways: undefined }];
      if (first === undefined || first.at >= stop) return [];
      return [{ person, at: first.at, channels: first.ways ?? "every device", rule }];
    });
    return { ...outcome, notified };
  };
};

export type Row = Compared<Notified, Ours>;

export const compareAlert = ({ notified }: Recorded, played: Played): Row[] =>
  compareNotified(notified, played.notified);
