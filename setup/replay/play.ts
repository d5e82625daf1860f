import { addSender } from "../../core/domain/event/event.ts";
import type { Channel } from "../../core/domain/device/channel.ts";
import type { NotificationRules } from "../../core/domain/people/notification-rules.ts";
import { MINUTE_MS } from "../../core/domain/basics/units.ts";
import { type Compared, compareNotified } from "../../core/domain/planning/comparison.ts";
import { createGroupingSimulator } from "../../core/domain/planning/storm.ts";
import { createSimulator, type Outcome } from "../rehearsal.ts";
import type { SetUp } from "../write.ts";
import type { TheirNotification, PastAlert } from "./record.ts";

/* Plays recorded alerts through a setup, by the code that plans real events, and compares the recipients. */

/** `at`: the time in milliseconds. */
type OurNotification = { person: string; at: number; channels: readonly Channel[] | "every device"; rule: string };

/** `joined`: the rules that notify nobody, because another alert of the same group has already notified. */
export type PlayedAlert = Omit<Outcome, "notifications"> & { notified: OurNotification[] };

/** Returns the time after which an alert notifies nobody, in ms since 1970. */
const computeEndOfNotifying = ({ ackAt, endAt }: PastAlert): number => Math.min(ackAt ?? Infinity, endAt ?? Infinity);

/** Returns a function that simulates alerts; call it in order of time. `ignoresGates`: ignores event groups and thresholds. */
export const createAlertPlayer = (setUp: SetUp, ownRules: readonly NotificationRules[] = [], ignoresGates = false) => {
  const outcomeOf = createSimulator(setUp, ownRules, ignoresGates ? undefined : createGroupingSimulator());
  return (alert: PastAlert): PlayedAlert => {
    const { notifications, ...outcome } = outcomeOf(addSender(alert.event, alert.sender), alert.at, alert.id);
    const stop = computeEndOfNotifying(alert);
    const notified = notifications.flatMap(({ person, minutes, rule, pages }): OurNotification[] => {
      const told = alert.at + Math.round(minutes * MINUTE_MS);
      // An acknowledgement stops later steps, including people's own steps.
      if (told >= stop) return [];
      const [first] = pages ?? [{ at: told, ways: undefined }];
      if (first === undefined || first.at >= stop) return [];
      return [{ person, at: first.at, channels: first.ways ?? "every device", rule }];
    });
    return { ...outcome, notified };
  };
};

export type NotificationRow = Compared<TheirNotification, OurNotification>;

/** Compares the people whom the other service notified of an alert with the people whom the replay notifies. */
export const compareAlert = ({ notified }: PastAlert, played: PlayedAlert): NotificationRow[] =>
  compareNotified(notified, played.notified);
