import { PRIORITIES, type Priority } from "../basics/priority.ts";
import { MINUTE_MS } from "../basics/units.ts";
import { compileWeekHours } from "../basics/clock/weekly.ts";
import { getZone } from "../basics/clock/zone.ts";
import { type Channel, channels } from "../device/channel.ts";
import type {
  NotificationRules,
  NotificationStep,
  QuietHours,
  ScheduledStep,
  UrgentFloor,
} from "./notification-rules.ts";

/* Decides when and by which channels a notification pages a person. */

/** Returns when quiet hours end (milliseconds), or `at` if quiet hours do not apply. */
const computeEndOfQuietHours = (quietHours: QuietHours | null, priority: Priority, at: number): number => {
  if (quietHours === null || PRIORITIES.indexOf(priority) >= PRIORITIES.indexOf(quietHours.holdBelow)) return at;
  const { within, until } = compileWeekHours(getZone(quietHours.timeZone), [quietHours])(at);
  return within ? until : at;
};

const uniteChannels = (first: readonly Channel[], second: readonly Channel[]): Channel[] =>
  channels.filter((channel) => first.includes(channel) || second.includes(channel));

const mergeStepsByTime = (steps: readonly ScheduledStep[]): ScheduledStep[] => {
  const byTime = new Map<number, Channel[]>();
  for (const { at, ways } of steps) byTime.set(at, uniteChannels(byTime.get(at) ?? [], ways));
  return [...byTime].map(([at, ways]) => ({ at, ways })).sort((one, other) => one.at - other.at);
};

/** Adds the step that the workspace's minimum for URGENT (`floor`) requires, if no step meets the minimum. */
export const applyUrgentFloor = (
  floor: UrgentFloor,
  steps: readonly NotificationStep[],
): readonly NotificationStep[] => {
  if (floor === null || steps.length === 0) return steps;
  const { ways, withinMinutes } = floor;
  const isMet = steps.some(
    (step) => step.afterMinutes <= withinMinutes && step.ways.some((channel) => ways.includes(channel)),
  );
  if (isMet) return steps;
  return mergeStepsByTime([
    ...steps.map((step) => ({ at: step.afterMinutes, ways: step.ways })),
    { at: withinMinutes, ways },
  ]).map(({ at, ways: lifted }) => ({ afterMinutes: at, ways: lifted }));
};

/** What decides a recipient's steps. `isLoud`: the notification has a sound. `at`: when the notification is created (ms). */
export type NotifiedEvent = { priority: Priority; requiresAck: boolean; isLoud: boolean; at: number };

/** Returns a person's notification steps: one step unless `requiresAck` and `isLoud`; undefined for every device at once. */
export const scheduleSteps = (
  rules: Pick<NotificationRules, "rungs" | "quietHours"> | undefined,
  floor: UrgentFloor,
  { priority, requiresAck, isLoud, at }: NotifiedEvent,
): ScheduledStep[] | undefined => {
  if (rules === undefined) return undefined;
  const { quietHours } = rules;
  const begin = computeEndOfQuietHours(quietHours, priority, at);
  const own = rules.rungs[priority];
  const isCall = requiresAck && isLoud;
  if (own.length === 0)
    return begin === at
      ? undefined
      : [{ at: begin, ways: channels.filter((channel) => isCall || channel !== "voice") }];
  const steps = requiresAck && isLoud ? (priority === "URGENT" ? applyUrgentFloor(floor, own) : own) : own.slice(0, 1);
  return mergeStepsByTime(
    steps.map(({ afterMinutes, ways }) => ({
      at: computeEndOfQuietHours(quietHours, priority, begin + afterMinutes * MINUTE_MS),
      ways,
    })),
  );
};
