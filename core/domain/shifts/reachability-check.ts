import * as v from "valibot";
import { wholeNumberSchema } from "../basics/number.ts";
import { computeStartOfNextInterval, toIso } from "../basics/time.ts";
import { MINUTE_MS } from "../basics/units.ts";
import { isVerified, listDeviceChannels, type Device } from "../device/device.ts";
import { Channel } from "../device/channel.ts";
import { type DutyGroup, findNextOnCallChange, listStretches } from "../on-call/index.ts";

/* A check tries channels at equal intervals. A check ends one interval before the shift, so that people are warned in time. */

const CHECK_MINUTES_MIN = 10;
export const CHECK_MINUTES_MAX = 24 * 60;

/** How long before a shift the reachability check begins; null for no check. */
export const ProveShifts = v.nullable(
  v.strictObject(
    { minutesBefore: wholeNumberSchema("minutesBefore", CHECK_MINUTES_MIN, CHECK_MINUTES_MAX) },
    "proveShifts must be null or an object: {minutesBefore}.",
  ),
);
export type ProveShifts = v.InferOutput<typeof ProveShifts>;

/** A shift that begins soon. `before`: the people on call until the shift begins. All times are are in milliseconds. */
export type ComingShift = { groupId: string; userId: string; start: number; before: string[] };

export const ReachabilityCheck = v.object({
  groupId: v.string(),
  userId: v.string(),
  start: v.number(),
  before: v.array(v.string()),
  since: v.number(),
  /** The channels in the order of attempts. */
  ways: v.array(Channel),
  /** How many channels were tried. */
  asked: v.number(),
  provenAt: v.optional(v.number()),
  /** When people were notified that the person did not confirm. */
  toldAt: v.optional(v.number()),
});
export type ReachabilityCheck = v.InferOutput<typeof ReachabilityCheck>;

/** Lists shifts that begin after `from` and up to `to`, of people who were not on call just before. */
export const listComingShifts = (
  groupId: string,
  group: DutyGroup,
  { from, to }: { from: number; to: number },
): ComingShift[] => {
  const coming: ComingShift[] = [];
  let before: string[] | undefined;
  for (const { start, people } of listStretches(group, from, to + 1)) {
    const now = people.map(({ userId }) => userId);
    for (const userId of now) if (before?.includes(userId) === false) coming.push({ groupId, userId, start, before });
    before = now;
  }
  return coming;
};

/** The channels of a check, in order: silent channels first. Push is tried twice, because it is free and silent. */
const ORDER: readonly Channel[] = ["push", "push", "sms", "email", "voice"];

/** Lists the person's channels in the order of attempts. Apps without receipts are left out, because they cannot confirm. */
const listChannelsToTry = (devices: readonly Device[]): Channel[] => {
  const lines = listDeviceChannels(devices.filter((device) => isVerified(device)));
  const hasChannel = (wanted: Channel): boolean =>
    lines.some(
      ({ way, device }) => (way ?? "push") === wanted && (way !== undefined || device.receiptKey !== undefined),
    );
  return ORDER.filter(hasChannel);
};

export const createReachabilityCheck = (
  shift: ComingShift,
  devices: readonly Device[],
  now: number,
): ReachabilityCheck => ({ ...shift, since: now, ways: listChannelsToTry(devices), asked: 0 });

/** Returns when to try the channel with an index from 0 on; for the index after the last channel, when the check ends. */
const computeAttemptTime = ({ since, start, ways }: ReachabilityCheck, index: number): number =>
  since + Math.floor((index * Math.max(0, start - since)) / (ways.length + 1));

/** Returns whether a verified device has confirmed a push since a time (ms). */
export const hasConfirmedSince = (devices: readonly Device[], since: number): boolean =>
  devices.some((device) => isVerified(device) && (device.lastDeliveredAt ?? "") >= toIso(since));

export type ReachabilityStep = { kind: "proven" } | { kind: "try"; way: Channel } | { kind: "tell" } | { kind: "wait" };

/** Returns the check's next step: store the confirmation, try a channel, report a missing confirmation, or wait. */
export const decideNextCheckStep = (
  check: ReachabilityCheck,
  devices: readonly Device[],
  now: number,
): ReachabilityStep => {
  if (check.provenAt !== undefined) return { kind: "wait" };
  if (hasConfirmedSince(devices, check.since)) return { kind: "proven" };
  const way = check.ways[check.asked];
  if (now < computeAttemptTime(check, check.asked) || check.toldAt !== undefined) return { kind: "wait" };
  return way === undefined ? { kind: "tell" } : { kind: "try", way };
};

/** Returns whether the check has no outcome yet; if so, the sweeper continues the check every minute. */
const isCheckRunning = ({ provenAt, toldAt }: ReachabilityCheck): boolean =>
  provenAt === undefined && toldAt === undefined;

/** The interval at which schedules are searched for new shifts, and how far ahead the search looks. */
const LOOK_EVERY_MS = 5 * MINUTE_MS;
const LOOK_AHEAD_DAYS = 2;

/** Returns when to continue checks or search schedules for new shifts. Checks begin `minutesBefore` the shift. */
export const computeNextReachabilityCheckTime = (
  checks: readonly ReachabilityCheck[],
  groups: readonly DutyGroup[],
  minutesBefore: number,
  now: number,
): number => {
  const ahead = minutesBefore * MINUTE_MS;
  const begins = groups.map(
    (group) => (findNextOnCallChange(group, now + ahead, LOOK_AHEAD_DAYS)?.at ?? Infinity) - ahead,
  );
  return Math.min(computeStartOfNextInterval(now, checks.some(isCheckRunning) ? MINUTE_MS : LOOK_EVERY_MS), ...begins);
};

/** Returns whether the person confirmed the last check for a shift that began by `at`; null without a check or while one runs. */
export const wasReachabilityConfirmed = (
  checks: readonly ReachabilityCheck[],
  { groupId, userId, at }: { groupId: string; userId: string; at: number },
): boolean | null => {
  const check = checks.findLast((one) => one.groupId === groupId && one.userId === userId && one.start <= at);
  if (check === undefined) return null;
  if (check.provenAt !== undefined) return true;
  return check.toldAt === undefined ? null : false;
};
