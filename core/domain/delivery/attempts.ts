import { listDeviceChannels, type Device, type DeviceChannel } from "../device/device.ts";
import type { ScheduledStep } from "../people/notification-rules.ts";
import type { NotificationStatus } from "../basics/notification-status.ts";
import {
  markMissingAnswer,
  describeFailedReason,
  isFinal,
  hasAcceptedPush,
  type DeviceAttempt,
  type DeviceOutcome,
} from "./notification.ts";
import {
  listDueSteps,
  isRecipientDone,
  type Pack,
  type PackAttempts,
  type PackRecipient,
  type RecipientOutcome,
} from "./pack.ts";
import { getPushTtlMs } from "./push/urgency.ts";
import type { PushOutcome } from "./push/outcome.ts";
import { isRateLimited, computeNextSendTime, revertSending, type Pace } from "./pace.ts";
import { SECOND_MS } from "../basics/units.ts";

const PUSH_RETRY_MAX_MS = 30 * SECOND_MS;

export type Devices = ReadonlyMap<string, readonly Device[]>;

type Attempts = Record<string, DeviceAttempt>;

/** Returns the attempt with one more try, as `sending`. */
const restartAttempt = (attempt: DeviceAttempt): DeviceAttempt => ({
  ...attempt,
  outcome: "sending",
  tries: attempt.tries + 1,
});

/** The maximum share by which `addJitter` lengthens a pause. */
const ASKED_JITTER = 0.25;
const ASKED_JITTER_LIMIT_MS = 30 * SECOND_MS;

/** Lengthens a pause, so that calls that were refused together are not retried together (`random` is from 0 to below 1). */
export const addJitter = (pauseMs: number, random: number): number =>
  pauseMs + random * Math.min(pauseMs * ASKED_JITTER, ASKED_JITTER_LIMIT_MS);

const startAttempt = ({ way }: DeviceChannel): DeviceAttempt => ({
  outcome: "sending",
  tries: 1,
  unknowns: 0,
  ...(way === undefined ? {} : { way }),
});

/** Returns a first attempt, as `sending`, for each channel. */
const startAttempts = (channels: readonly DeviceChannel[]): Attempts =>
  Object.fromEntries(channels.map((channel) => [channel.key, startAttempt(channel)]));

/** Starts the unfinished attempts again on the given channels. Ends attempts whose device was removed. */
const continueAttempts = (previous: Attempts, channels: readonly DeviceChannel[]): Attempts =>
  Object.fromEntries(
    Object.entries(previous).map(([key, attempt]) => {
      const known = markMissingAnswer(attempt);
      if (isFinal(known)) return [key, known];
      if (channels.some((channel) => channel.key === key)) return [key, restartAttempt(known)];
      // The device was removed, but an earlier push without an answer may have reached it.
      const outcome: DeviceOutcome = known.unknowns > 0 ? "unclear" : "unregistered";
      return [key, { ...known, outcome }];
    }),
  );

/** Leaves out voice calls if the person has another channel. */
const omitVoiceCalls = (channels: readonly DeviceChannel[]): readonly DeviceChannel[] => {
  const others = channels.filter(({ way }) => way !== "voice");
  return others.length > 0 ? others : channels;
};

export const hasVoiceChannel = (devices: Devices): boolean =>
  [...devices.values()].some((own) => listDeviceChannels(own).some(({ way }) => way === "voice"));

export const hasRateLimitedChannel = (devices: Devices, rateLimits: Pace): boolean =>
  [...devices.values()].some((own) => listDeviceChannels(own).some(({ way }) => isRateLimited(way, rateLimits)));

/** Starts the first attempt on each device of each recipient. The recipients must not have voice channels. */
export const startPackAttempts = (userIds: readonly string[], devices: Devices): PackAttempts =>
  new Map(userIds.map((userId, position) => [position, startAttempts(listDeviceChannels(devices.get(userId) ?? []))]));

/** Starts an attempt of a later step. Records in `rang` whether the device accepted a push of an earlier step (`previous`). */
const startLaterAttempt = (channel: DeviceChannel, previous: DeviceAttempt): DeviceAttempt => ({
  ...startAttempt(channel),
  rang: hasAcceptedPush(previous) ? "taken" : "tried",
});

/** Returns the channels that at least one of the notification steps uses. */
const listChannelsOfSteps = (steps: readonly ScheduledStep[], channels: readonly DeviceChannel[]): DeviceChannel[] =>
  channels.filter(({ way }) => steps.some(({ ways }) => ways.includes(way ?? "push")));

/** Returns the channels of due steps. Without one, returns those of the next step, or all channels before the first attempt. */
const listChannelsToPage = (
  { rings = [], attempts }: PackRecipient,
  dueSteps: readonly ScheduledStep[],
  channels: readonly DeviceChannel[],
): DeviceChannel[] => {
  const heard = listChannelsOfSteps(dueSteps, channels);
  if (heard.length > 0) return heard;
  const last = dueSteps.at(-1)?.at ?? 0;
  const next = rings.find((page) => page.at > last && listChannelsOfSteps([page], channels).length > 0);
  if (next !== undefined) return listChannelsOfSteps([next], channels);
  return attempts === undefined ? [...channels] : [];
};

/** Starts attempts for due steps. Continues earlier attempts except during the pause before a retry (`isPaused`). */
const createDueAttempts = (
  recipient: PackRecipient,
  dueSteps: readonly ScheduledStep[],
  channels: readonly DeviceChannel[],
  isPaused: boolean,
): Attempts => {
  const { attempts: before = {}, quiet } = recipient;
  const attempts = isPaused ? { ...before } : continueAttempts(before, channels);
  const able = quiet === undefined ? channels : omitVoiceCalls(channels);
  for (const channel of dueSteps.length === 0 ? [] : listChannelsToPage(recipient, dueSteps, able)) {
    const known = attempts[channel.key];
    if (known === undefined) attempts[channel.key] = startAttempt(channel);
    else if (isFinal(known)) attempts[channel.key] = startLaterAttempt(channel, known);
    else if (isPaused) attempts[channel.key] = restartAttempt(markMissingAnswer(known));
  }
  return attempts;
};

/** Returns the attempts of recipients who are not done; during the pause before a retry, only of those with due steps. */
export const createNextAttempts = (pack: Pack, devices: Devices, claimedAt: number, isPaused = false): PackAttempts =>
  new Map(
    pack.recipients.flatMap((recipient, position): [number, Attempts][] => {
      const { userId, attempts, rings, quiet } = recipient;
      const own = listDeviceChannels(devices.get(userId) ?? []);
      const due = listDueSteps(recipient, pack, claimedAt);
      const isLeft = !isPaused && !isRecipientDone(recipient) && (rings === undefined || attempts !== undefined);
      if (due.length === 0 && !isLeft) return [];
      if (rings !== undefined) return [[position, createDueAttempts(recipient, due, own, isPaused)]];
      if (attempts !== undefined) return [[position, continueAttempts(attempts, own)]];
      // A call is always loud, so a person is called only if a pressed key can acknowledge the event.
      return [[position, startAttempts(pack.requiresAck && quiet === undefined ? own : omitVoiceCalls(own))]];
    }),
  );

/** A call to a push service. `answer`: undefined until the answer arrives. */
export type Call = DeviceChannel & {
  position: number;
  before: DeviceAttempt;
  answer: PushOutcome | undefined;
  /** When a call that exceeded its channel's rate limit may be repeated, in milliseconds. */
  turn?: number;
};

/** Lists the calls to push services: one for each attempt that is `sending`; none for recipients who need no push. */
export const listCallsToSend = (pack: Pack, devices: Devices): Call[] =>
  pack.recipients.flatMap((recipient, position) => {
    if (isRecipientDone(recipient)) return [];
    return listDeviceChannels(devices.get(recipient.userId) ?? []).flatMap((channel): Call[] => {
      const before = recipient.attempts?.[channel.key];
      return before?.outcome === "sending" ? [{ ...channel, position, before, answer: undefined }] : [];
    });
  });

/** Returns the id of a page, the same for each retry, so that services recognize repeated requests. */
export const formatPageId = (pack: Pack, { position, key, way }: Pick<Call, "position" | "key" | "way">): string => {
  const { notificationId = "", rings = [] } = pack.recipients[position] ?? {};
  const step = rings.filter((page) => page.at <= (pack.rangAt ?? 0) && page.ways.includes(way ?? "push"));
  return `${notificationId}.${key}.${step.length}`;
};

/** Lists the keys of device channels that may show a push of the pack, but got no push about the event's end. */
export const listChannelKeysToUpdate = ({ recipients, toldOver }: Pick<Pack, "recipients" | "toldOver">): string[] =>
  recipients.flatMap(({ attempts = {} }) =>
    Object.entries(attempts).flatMap(([id, attempt]) =>
      (hasAcceptedPush(attempt) || attempt.unknowns > 0) && !toldOver.includes(id) ? [id] : [],
    ),
  );

/** Lists pushes that tell notified devices that the event is over. */
export const listEndPushes = (pack: Pack, devices: Devices): (Call & { notificationId: string })[] => {
  const notified = listChannelKeysToUpdate(pack);
  return pack.recipients.flatMap(({ userId, notificationId, attempts = {} }, position) =>
    listDeviceChannels(devices.get(userId) ?? []).flatMap((channel) => {
      const before = attempts[channel.key];
      if (before === undefined || !notified.includes(channel.key)) return [];
      return [{ ...channel, position, before, notificationId, answer: undefined }];
    }),
  );
};

const outcomeOf: Readonly<Record<PushOutcome["kind"], DeviceOutcome>> = {
  accepted: "accepted",
  unregistered: "unregistered",
  invalid: "invalid",
  retry: "retry",
  auth: "auth",
  // `foreign` is stored as `invalid`, which has the same effect and which earlier versions know.
  foreign: "invalid",
  unknown: "unknown",
};

type Clock = { now: number; random: number };

/** Returns when to retry: after a partly random pause, which doubles with each try, but not before Retry-After. */
const computeNextRetry = ({ tries }: DeviceAttempt, answer: PushOutcome, { now, random }: Clock): number => {
  const backoffMs = Math.min(PUSH_RETRY_MAX_MS, 2 ** (tries - 1) * SECOND_MS);
  const asked = answer.kind === "retry" ? (answer.retryAfterMs ?? 0) : 0;
  const pauseMs = Math.max(backoffMs / 2 + (random * backoffMs) / 2, addJitter(asked, random));
  return now + Math.ceil(pauseMs / SECOND_MS) * SECOND_MS;
};

/** Returns whether the answer means that the attempt has failed for good. */
export const isFinalFailure = (attempt: DeviceAttempt, answer: PushOutcome): boolean => {
  const after = applyAnswer(attempt, answer, { now: 0, random: 0 });
  return isFinal(after) && after.outcome !== "accepted";
};

const isQuotaUsedUp = (answer: PushOutcome): boolean => answer.kind === "retry" && answer.slow === "quota";

/** Returns the attempt as the answer changes it. A finished attempt has no retry time and no count of refusals. */
const applyAnswer = (previous: DeviceAttempt, answer: PushOutcome, clock: Clock): DeviceAttempt => {
  const { at: _at, refusals = 0, ...attempt } = previous;
  const after =
    answer.kind === "unknown" ? markMissingAnswer(attempt) : { ...attempt, outcome: outcomeOf[answer.kind] };
  if (isFinal(after)) return after;
  const isCounted = after.way === undefined ? answer.kind === "auth" : isQuotaUsedUp(answer);
  return { ...after, at: computeNextRetry(after, answer, clock), ...(isCounted ? { refusals: refusals + 1 } : {}) };
};

/** Returns whether to store the recipient's answers now: after the last answer, or after the first accepted push. */
const areAnswersWorthStoring = (status: NotificationStatus, previous: Attempts, calls: readonly Call[]): boolean => {
  if (calls.some(({ answer }) => answer === undefined))
    return status === "QUEUED" && calls.some(({ answer }) => answer?.kind === "accepted");
  return calls.some(({ key }) => previous[key]?.outcome === "sending");
};

/** Applies the answers to the recipients' attempts. `settled`: whether all calls have been answered. */
export const listRecipientOutcomes = (
  pack: Pack,
  calls: readonly Call[],
  { settled, now, random }: Clock & { settled: boolean },
): RecipientOutcome[] =>
  pack.recipients.flatMap((recipient, position): RecipientOutcome[] => {
    const { status, attempts: before } = recipient;
    if (before === undefined || isRecipientDone(recipient)) return [];
    const mine = calls.filter((call) => call.position === position);
    if (!settled && !areAnswersWorthStoring(status, before, mine)) return [];
    const attempts = { ...before };
    for (const { key, before: attempt, answer, turn } of mine)
      if (answer !== undefined)
        attempts[key] = {
          ...applyAnswer(attempt, answer, { now, random }),
          ...(turn === undefined ? {} : { at: turn }),
        };
    const all = Object.values(attempts);
    if (all.some(hasAcceptedPush)) return [{ position, attempts, result: { kind: "sent", at: now } }];
    const reason = describeFailedReason(all);
    return [{ position, attempts, result: reason === undefined ? undefined : { kind: "failed", reason } }];
  });

/** Returns the attempts as they were before the pack was claimed, for a worker that has sent nothing. */
export const revertClaim = (pack: Pack): RecipientOutcome[] =>
  pack.recipients.flatMap((recipient, position): RecipientOutcome[] => {
    const { attempts } = recipient;
    if (attempts === undefined || isRecipientDone(recipient)) return [];
    const before = Object.entries(attempts).map(([id, attempt]): [string, DeviceAttempt] => {
      return [id, attempt.outcome === "sending" ? revertSending(attempt) : attempt];
    });
    return [{ position, attempts: Object.fromEntries(before), result: undefined }];
  });

/** Ends unfinished attempts as expired. `reasonOf` returns why a notification with the given attempts failed. */
export const expireUnsentAttempts = (
  pack: Pack,
  reasonOf: (attempts: readonly DeviceAttempt[]) => string,
  now: number,
): RecipientOutcome[] =>
  pack.recipients.flatMap((recipient, position): RecipientOutcome[] => {
    const { attempts, rings } = recipient;
    const isYetToPage = rings !== undefined && attempts === undefined;
    if (isRecipientDone(recipient) || isYetToPage) return [];
    const given = Object.fromEntries(
      Object.entries(attempts ?? {}).map(([id, attempt]): [string, DeviceAttempt] => [
        id,
        isFinal(attempt) ? attempt : { ...attempt, outcome: "expired" },
      ]),
    );
    const all = Object.values(given);
    const sent = all.some(hasAcceptedPush);
    const result = sent ? ({ kind: "sent", at: now } as const) : ({ kind: "failed", reason: reasonOf(all) } as const);
    return [{ position, attempts: given, result }];
  });

/** Returns when the pack expires (ms): the time to live of its priority, counted from its creation or its latest step. */
export const computePackExpiry = (pack: Pick<Pack, "createdAt" | "priority" | "recipients" | "rangAt">): number => {
  const { createdAt, priority, recipients, rangAt = createdAt } = pack;
  const step = recipients.flatMap(({ rings = [] }) => rings.flatMap(({ at }) => (at <= rangAt ? [at] : [])));
  return Math.max(createdAt, ...step) + getPushTtlMs(priority);
};

/** Returns when to send the pack again, at the latest a second after its expiry; undefined if every push has a final outcome. */
export const computeNextPackRetry = (
  pack: Pack,
  outcomes: readonly RecipientOutcome[],
  { now, pace = {} }: { now: number; pace?: Pace | undefined },
): number | undefined => {
  const open = outcomes.flatMap(({ attempts }) => Object.values(attempts)).filter((one) => !isFinal(one));
  if (open.length === 0) return undefined;
  const first = Math.min(...open.map((one) => computeNextSendTime(one, pace) ?? pack.retryAt ?? now));
  return Math.min(Math.max(first, now), Math.max(computePackExpiry(pack), now) + SECOND_MS);
};
