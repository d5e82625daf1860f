import { deviceChannelsOf, type Device, type DeviceChannel } from "../device/device.ts";
import type { ScheduledStep } from "../people/notification-rules.ts";
import type { NotificationStatus } from "../basics/notification-status.ts";
import {
  afterSilence,
  failedReason,
  isFinal,
  isTaken,
  type DeviceAttempt,
  type DeviceOutcome,
} from "./notification.ts";
import {
  dueSteps,
  isDoneWith,
  type Pack,
  type PackAttempts,
  type PackRecipient,
  type RecipientOutcome,
} from "./pack.ts";
import { pushTtlSeconds } from "./push/message.ts";
import type { PushOutcome } from "./push/outcome.ts";
import { comesAt, unsent, type Pace } from "./pace.ts";
import { SECOND_MS } from "../basics/units.ts";

/** The longest pause between two tries of a push through the queue. */
const PUSH_RETRY_MAX_SECONDS = 30;

/*
 * The pushes of one pack: the next attempts of a sender, the state after FCM's answers, and when the remaining
 * pushes are retried.
 */

/** Devices by user. */
export type Devices = ReadonlyMap<string, readonly Device[]>;

type Attempts = Record<string, DeviceAttempt>;

const sending = (before: DeviceAttempt): DeviceAttempt => ({ ...before, outcome: "sending", tries: before.tries + 1 });

/** How much longer than requested a pause may be, so that not everything comes back at once. */
const ASKED_JITTER = 0.25;
const ASKED_JITTER_LIMIT_MS = 30 * SECOND_MS;

/** A pause that all calls refused at one moment are given, made longer at random (`random` is from 0 to below 1). */
export const withJitter = (askedMs: number, random: number): number =>
  askedMs + random * Math.min(askedMs * ASKED_JITTER, ASKED_JITTER_LIMIT_MS);

const firstAttempt = ({ way }: DeviceChannel): DeviceAttempt =>
  sending({ outcome: "sending", tries: 0, unknowns: 0, ...(way === undefined ? {} : { way }) });

const firstAttempts = (lines: readonly DeviceChannel[]): Attempts =>
  Object.fromEntries(lines.map((line) => [line.key, firstAttempt(line)]));

const laterAttempts = (before: Attempts, lines: readonly DeviceChannel[]): Attempts =>
  Object.fromEntries(
    Object.entries(before).map(([key, attempt]) => {
      const known = afterSilence(attempt);
      if (isFinal(known)) return [key, known];
      if (lines.some((line) => line.key === key)) return [key, sending(known)];
      // A device removed meanwhile has no token any more, but an earlier push without an answer may have reached it.
      const outcome: DeviceOutcome = known.unknowns > 0 ? "unclear" : "unregistered";
      return [key, { ...known, outcome }];
    }),
  );

/** The channels without calls, unless nothing else is left. */
const withoutCalls = (lines: readonly DeviceChannel[]): readonly DeviceChannel[] => {
  const others = lines.filter(({ way }) => way !== "voice");
  return others.length > 0 ? others : lines;
};

/** Whether some of these devices are called. */
export const haveCalls = (devices: Devices): boolean =>
  [...devices.values()].some((own) => deviceChannelsOf(own).some(({ way }) => way === "voice"));

/** Whether some of these devices are on a channel that has a pace. */
export const arePaced = (devices: Devices, pace: Pace): boolean =>
  [...devices.values()].some((own) =>
    deviceChannelsOf(own).some(({ way }) => way !== undefined && pace[way] !== undefined),
  );

/** The attempts of a pack's first sender if nobody is called: one for each channel of each recipient. */
export const attemptsOfFirst = (userIds: readonly string[], devices: Devices): PackAttempts =>
  new Map(userIds.map((userId, position) => [position, firstAttempts(deviceChannelsOf(devices.get(userId) ?? []))]));

/** Another attempt on a device whose part in the earlier steps is over. */
const pageAgain = (line: DeviceChannel, before: DeviceAttempt): DeviceAttempt => ({
  ...firstAttempt(line),
  rang: isTaken(before) ? "taken" : "tried",
});

/** The devices' channels that some steps use. */
const heardOn = (pages: readonly ScheduledStep[], own: readonly DeviceChannel[]): DeviceChannel[] =>
  own.filter(({ way }) => pages.some(({ ways }) => ways.includes(way ?? "push")));

/**
 * The channels that page when some of a person's steps are due. If no device has them, the next step that
 * reaches one takes their place. If no step reaches any, every device is notified.
 */
const paging = (
  { rings = [], attempts }: PackRecipient,
  due: readonly ScheduledStep[],
  own: readonly DeviceChannel[],
): DeviceChannel[] => {
  const heard = heardOn(due, own);
  if (heard.length > 0) return heard;
  const last = due.at(-1)?.at ?? 0;
  const next = rings.find((page) => page.at > last && heardOn([page], own).length > 0);
  if (next !== undefined) return heardOn([next], own);
  return attempts === undefined ? [...own] : [];
};

/** The next attempts for a recipient with notification steps: the due steps, and what is left of the earlier ones. */
const attemptsOfSteps = (
  recipient: PackRecipient,
  due: readonly ScheduledStep[],
  own: readonly DeviceChannel[],
  isPutOff: boolean,
): Attempts => {
  const { attempts: before = {}, quiet } = recipient;
  const attempts = isPutOff ? { ...before } : laterAttempts(before, own);
  const able = quiet === undefined ? own : withoutCalls(own);
  for (const line of due.length === 0 ? [] : paging(recipient, due, able)) {
    const known = attempts[line.key];
    if (known === undefined) attempts[line.key] = firstAttempt(line);
    else if (isFinal(known)) attempts[line.key] = pageAgain(line, known);
    else if (isPutOff) attempts[line.key] = sending(afterSilence(known));
  }
  return attempts;
};

/**
 * What a later sender is about to do at a time (milliseconds). Devices and people that are done are left out. While
 * the pack's next try is postponed, only new steps begin.
 */
export const attemptsOfNext = (pack: Pack, devices: Devices, at: number, isPutOff = false): PackAttempts =>
  new Map(
    pack.recipients.flatMap((recipient, position): [number, Attempts][] => {
      const { userId, attempts, rings, quiet } = recipient;
      const own = deviceChannelsOf(devices.get(userId) ?? []);
      const due = dueSteps(recipient, pack, at);
      const isLeft = !isPutOff && !isDoneWith(recipient) && (rings === undefined || attempts !== undefined);
      if (due.length === 0 && !isLeft) return [];
      if (rings !== undefined) return [[position, attemptsOfSteps(recipient, due, own, isPutOff)]];
      if (attempts !== undefined) return [[position, laterAttempts(attempts, own)]];
      // A call is loud, and is made only if it can be answered.
      return [[position, firstAttempts(pack.requiresAck && quiet === undefined ? own : withoutCalls(own))]];
    }),
  );

/** One push to make, and its answer once it has come. */
export type Call = DeviceChannel & {
  position: number;
  before: DeviceAttempt;
  answer: PushOutcome | undefined;
  /** Its next turn, if its channel was too slow. */
  turn?: number;
};

/** The pushes that a claim of the pack has stored as about to be sent. */
export const callsOf = (pack: Pack, devices: Devices): Call[] =>
  pack.recipients.flatMap((recipient, position) => {
    if (isDoneWith(recipient)) return [];
    return deviceChannelsOf(devices.get(recipient.userId) ?? []).flatMap((line): Call[] => {
      const before = recipient.attempts?.[line.key];
      return before?.outcome === "sending" ? [{ ...line, position, before, answer: undefined }] : [];
    });
  });

/**
 * A name for one page on one channel: the same for each try of it, another for the next page. A service that gets it
 * recognizes a repeated request.
 */
export const stepName = (pack: Pack, { position, key, way }: Pick<Call, "position" | "key" | "way">): string => {
  const { notificationId = "", rings = [] } = pack.recipients[position] ?? {};
  const step = rings.filter((page) => page.at <= (pack.rangAt ?? 0) && page.ways.includes(way ?? "push"));
  return `${notificationId}.${key}.${step.length}`;
};

/** The devices that accepted a push of the pack, or may have, and do not know yet that the event is over. */
export const notifiedOf = ({ recipients, toldOver }: Pick<Pack, "recipients" | "toldOver">): string[] =>
  recipients.flatMap(({ attempts = {} }) =>
    Object.entries(attempts).flatMap(([id, attempt]) =>
      (isTaken(attempt) || attempt.unknowns > 0) && !toldOver.includes(id) ? [id] : [],
    ),
  );

/** The pushes that inform those devices that the event is over. */
export const callsAboutEnd = (pack: Pack, devices: Devices): (Call & { notificationId: string })[] => {
  const notified = notifiedOf(pack);
  return pack.recipients.flatMap(({ userId, notificationId, attempts = {} }, position) =>
    deviceChannelsOf(devices.get(userId) ?? []).flatMap((line) => {
      const before = attempts[line.key];
      if (before === undefined || !notified.includes(line.key)) return [];
      return [{ ...line, position, before, notificationId, answer: undefined }];
    }),
  );
};

const outcomeOf: Readonly<Record<PushOutcome["kind"], DeviceOutcome>> = {
  accepted: "accepted",
  unregistered: "unregistered",
  invalid: "invalid",
  retry: "retry",
  auth: "auth",
  // Stored as what it means for this notification, and for functions of an earlier version.
  foreign: "invalid",
  unknown: "unknown",
};

type Clock = { now: number; random: number };

/**
 * When an attempt that is still open may be made again. The pause doubles from one second, and half of it is random
 * (`random` is from 0 to below 1). It is never shorter than the service's Retry-After, and ends on a whole second.
 */
const againAt = ({ tries }: DeviceAttempt, answer: PushOutcome, { now, random }: Clock): number => {
  const backoffMs = Math.min(PUSH_RETRY_MAX_SECONDS, 2 ** (tries - 1)) * SECOND_MS;
  const asked = answer.kind === "retry" ? (answer.retryAfterMs ?? 0) : 0;
  const pauseMs = Math.max(backoffMs / 2 + (random * backoffMs) / 2, withJitter(asked, random));
  return now + Math.ceil(pauseMs / SECOND_MS) * SECOND_MS;
};

/** Whether a push has failed permanently by this answer. */
export const hasFailedBy = (attempt: DeviceAttempt, answer: PushOutcome): boolean => {
  const after = afterAnswer(attempt, answer, { now: 0, random: 0 });
  return isFinal(after) && after.outcome !== "accepted";
};

/** The attempt after its answer: a final one waits for nothing. */
const afterAnswer = (before: DeviceAttempt, answer: PushOutcome, clock: Clock): DeviceAttempt => {
  const attempt = { ...before };
  delete attempt.at;
  const after = answer.kind === "unknown" ? afterSilence(attempt) : { ...attempt, outcome: outcomeOf[answer.kind] };
  return isFinal(after) ? after : { ...after, at: againAt(after, answer, clock) };
};

/**
 * Whether a recipient's answers are worth a write while other calls are open: either all of them have come and are not
 * stored yet, or a first device accepted the push, which makes the notification SENT whatever the others answer.
 */
const isNews = (status: NotificationStatus, stored: Attempts, mine: readonly Call[]): boolean => {
  if (mine.some(({ answer }) => answer === undefined))
    return status === "QUEUED" && mine.some(({ answer }) => answer?.kind === "accepted");
  return mine.some(({ key }) => stored[key]?.outcome === "sending");
};

/** The state of each recipient once some of the calls, or all of them (`settled`), have been answered. */
export const outcomesOf = (
  pack: Pack,
  calls: readonly Call[],
  { settled, now, random }: Clock & { settled: boolean },
): RecipientOutcome[] =>
  pack.recipients.flatMap((recipient, position): RecipientOutcome[] => {
    const { status, attempts: before } = recipient;
    if (before === undefined || isDoneWith(recipient)) return [];
    const mine = calls.filter((call) => call.position === position);
    if (!settled && !isNews(status, before, mine)) return [];
    const attempts = { ...before };
    for (const { key, before: attempt, answer, turn } of mine)
      if (answer !== undefined)
        attempts[key] = {
          ...afterAnswer(attempt, answer, { now, random }),
          ...(turn === undefined ? {} : { at: turn }),
        };
    const all = Object.values(attempts);
    if (all.some(isTaken)) return [{ position, attempts, result: { kind: "sent", at: now } }];
    const reason = failedReason(all);
    return [{ position, attempts, result: reason === undefined ? undefined : { kind: "failed", reason } }];
  });

/** Undoes a claim whose pushes were not sent: each device is as it was before, so that nothing counts as sent. */
export const outcomesOfNothing = (pack: Pack): RecipientOutcome[] =>
  pack.recipients.flatMap((recipient, position): RecipientOutcome[] => {
    const { attempts } = recipient;
    if (attempts === undefined || isDoneWith(recipient)) return [];
    const before = Object.entries(attempts).map(([id, attempt]): [string, DeviceAttempt] => {
      return [id, attempt.outcome === "sending" ? unsent(attempt) : attempt];
    });
    return [{ position, attempts: Object.fromEntries(before), result: undefined }];
  });

/** Gives up the unsent rest of a pack that is too late or not needed any more. `reasonOf` says why a notification failed. */
export const outcomesOfGivingUp = (
  pack: Pack,
  reasonOf: (attempts: readonly DeviceAttempt[]) => string,
  now: number,
): RecipientOutcome[] =>
  pack.recipients.flatMap((recipient, position): RecipientOutcome[] => {
    const { attempts, rings } = recipient;
    const isYetToPage = rings !== undefined && attempts === undefined;
    if (isDoneWith(recipient) || isYetToPage) return [];
    const given = Object.fromEntries(
      Object.entries(attempts ?? {}).map(([id, attempt]): [string, DeviceAttempt] => [
        id,
        isFinal(attempt) ? attempt : { ...attempt, outcome: "expired" },
      ]),
    );
    const all = Object.values(given);
    const sent = all.some(isTaken);
    const result = sent ? ({ kind: "sent", at: now } as const) : ({ kind: "failed", reason: reasonOf(all) } as const);
    return [{ position, attempts: given, result }];
  });

/** When the pushes of a pack expire, in milliseconds: some time after they were made, or after the last step that has begun. */
export const expiresAt = (pack: Pick<Pack, "createdAt" | "priority" | "recipients" | "rangAt">): number => {
  const { createdAt, priority, recipients, rangAt = createdAt } = pack;
  const step = recipients.flatMap(({ rings = [] }) => rings.flatMap(({ at }) => (at <= rangAt ? [at] : [])));
  return Math.max(createdAt, ...step) + pushTtlSeconds(priority) * SECOND_MS;
};

/**
 * When the first of the pushes that these outcomes leave open may be tried again, or undefined if none is left. It ends
 * at most a second after the push expires.
 */
export const retryAt = (
  pack: Pack,
  outcomes: readonly RecipientOutcome[],
  { now, pace = {} }: { now: number; pace?: Pace | undefined },
): number | undefined => {
  const open = outcomes.flatMap(({ attempts }) => Object.values(attempts)).filter((one) => !isFinal(one));
  if (open.length === 0) return undefined;
  const first = Math.min(...open.map((one) => comesAt(one, pace) ?? pack.retryAt ?? now));
  return Math.min(Math.max(first, now), Math.max(expiresAt(pack), now) + SECOND_MS);
};
