import type { Deps } from "../deps.ts";
import { packIdsOf } from "../domain/delivery/delivery-plan.ts";
import { parseEventId, parsePackId, type PackId } from "../domain/basics/ids.ts";
import {
  PUSH_RETRY_MAX_SECONDS,
  SEND_LEASE_SECONDS,
  SEND_SETTLE_ROUNDS,
  SEND_SETTLE_SECONDS,
} from "../domain/basics/limits.ts";
import type { Device } from "../domain/people/device.ts";
import {
  ACKNOWLEDGED_BEFORE,
  afterSilence,
  failedReason,
  isDone,
  isFinal,
  type DeviceAttempt,
  type DeviceOutcome,
  type NotificationStatus,
} from "../domain/delivery/notification.ts";
import { buildMessage, pushTtlSeconds } from "../domain/delivery/push/message.ts";
import type { PushOutcome } from "../domain/delivery/push/outcome.ts";
import type { PushMessage } from "../queue/messages.ts";
import { pruneDevice, readDevices } from "../store/devices.ts";
import { readEscalation } from "../store/escalations.ts";
import { removeMarker } from "../store/markers.ts";
import type { RecipientOutcome } from "../domain/delivery/pack.ts";
import { claimPack, readPacks, storeOutcomes } from "../store/packs.ts";
import { type Pack } from "../domain/delivery/pack.ts";
import { metrics } from "../wiring.ts";
import { isFinished } from "../domain/delivery/pack.ts";

export type SendDeps = Pick<Deps, "table" | "push" | "now" | "newId" | "random" | "sleep" | "log">;

/** How it went: nothing is left to do for this message, or it must come again after so many seconds. */
export type Sent = { kind: "done" } | { kind: "again"; afterSeconds: number };

const done: Sent = { kind: "done" };

/** Devices by user, in the order of the recipients. */
type Devices = ReadonlyMap<string, readonly Device[]>;

type Attempts = Record<string, DeviceAttempt>;

const sending = (before: DeviceAttempt | undefined): DeviceAttempt => ({
  outcome: "sending",
  tries: (before?.tries ?? 0) + 1,
  unknowns: before?.unknowns ?? 0,
});

/** What a first sender is about to do for one recipient: one attempt a device. */
const firstAttempts = (devices: readonly Device[]): Attempts =>
  Object.fromEntries(devices.map(({ id }) => [id, sending(undefined)]));

/** What the next sender is about to do: the devices that have their answer are left alone. */
const nextAttempts = (before: Attempts, devices: readonly Device[]): Attempts =>
  Object.fromEntries(
    Object.entries(before).map(([id, attempt]) => {
      const known = afterSilence(attempt);
      if (isFinal(known)) return [id, known];
      if (devices.some((device) => device.id === id)) return [id, sending(known)];
      // A device that was removed meanwhile has no token any more; a push without an answer may have reached it.
      const outcome: DeviceOutcome = known.unknowns > 0 ? "unclear" : "unregistered";
      return [id, { ...known, outcome }];
    }),
  );

const leaseOf = (deps: SendDeps) => ({
  id: deps.newId("lease"),
  until: deps.now() + SEND_LEASE_SECONDS * 1000,
});

type Taken =
  | { kind: "taken"; pack: Pack; leaseId: string; devices: Devices }
  | { kind: "left"; pack: Pack | undefined };

/** Takes the pack: as the first, by a write that reads nothing; or as a later one, by what the first try found. */
const take = async (deps: SendDeps, message: PushMessage): Promise<Taken> => {
  const { ws } = message.marker;
  const known = await readDevices(deps, ws, message.userIds);
  const lease = leaseOf(deps);
  const fresh = new Map(message.userIds.map((userId, position) => [position, firstAttempts(known.get(userId) ?? [])]));
  const first = await claimPack(deps, ws, message.packId, lease, undefined, fresh);
  if (first.kind === "claimed") return { kind: "taken", pack: first.pack, leaseId: lease.id, devices: known };
  if (first.kind === "missing") throw new Error(`pack ${message.packId} is not stored`);
  const { pack } = first;
  const held = pack.lease !== undefined && pack.lease.until > deps.now();
  // Who holds the pack finishes it; should that sender die, the marker brings the work back after the lease.
  if (held || isFinished(pack)) return { kind: "left", pack };
  // A device that is missing now is given up for good, and one that changed hands belongs to somebody else.
  const devices = await readDevices(deps, ws, message.userIds, { consistent: true });
  const devicesOf = (userId: string) => devices.get(userId) ?? [];
  const next = new Map(
    pack.recipients.flatMap(({ userId, status, attempts }, position) =>
      isDone(status, attempts)
        ? []
        : [
            [
              position,
              attempts === undefined ? firstAttempts(devicesOf(userId)) : nextAttempts(attempts, devicesOf(userId)),
            ] as const,
          ],
    ),
  );
  const again = await claimPack(deps, ws, message.packId, lease, pack.lease, next);
  if (again.kind === "claimed") return { kind: "taken", pack: again.pack, leaseId: lease.id, devices };
  return { kind: "left", pack: again.kind === "refused" ? again.pack : undefined };
};

const outcomeOf: Readonly<Record<PushOutcome["kind"], DeviceOutcome>> = {
  accepted: "accepted",
  unregistered: "unregistered",
  invalid: "invalid",
  retry: "retry",
  auth: "auth",
  unknown: "unknown",
};

const afterAnswer = (attempt: DeviceAttempt, kind: PushOutcome["kind"]): DeviceAttempt =>
  kind === "unknown" ? afterSilence(attempt) : { ...attempt, outcome: outcomeOf[kind] };

/** One push to make, and the answer when it has come. */
type Call = { position: number; device: Device; before: DeviceAttempt; answer: PushOutcome | undefined };

const callsOf = (pack: Pack, devices: Devices): Call[] =>
  pack.recipients.flatMap(({ userId, status, attempts }, position) =>
    isDone(status, attempts)
      ? []
      : (devices.get(userId) ?? []).flatMap((device): Call[] => {
          const before = attempts?.[device.id];
          return before?.outcome === "sending" ? [{ position, device, before, answer: undefined }] : [];
        }),
  );

const push = async (deps: SendDeps, pack: Pack, message: PushMessage, call: Call): Promise<void> => {
  const recipient = pack.recipients[call.position];
  if (recipient === undefined) return;
  const answer = await deps.push.send(
    buildMessage({
      workspaceId: pack.workspaceId,
      eventId: pack.eventId,
      notificationId: recipient.notificationId,
      title: message.text.title,
      body: message.text.body,
      siteName: message.text.siteName,
      url: message.text.url,
      priority: pack.priority,
      requiresAck: pack.requiresAck,
      token: call.device.token,
      platform: call.device.platform,
      nowMs: deps.now(),
    }),
  );
  Object.assign(call, { answer });
};

/**
 * Whether a recipient's answers are worth a write while other calls are open: all are there and not stored yet, or the
 * first device took the push, which makes the notification SENT whatever the others do.
 */
const isNews = (status: NotificationStatus, stored: Attempts, mine: readonly Call[]): boolean => {
  if (mine.some(({ answer }) => answer === undefined))
    return status === "QUEUED" && mine.some(({ answer }) => answer?.kind === "accepted");
  return mine.some(({ device }) => stored[device.id]?.outcome === "sending");
};

/** What is known of each recipient after some of the calls have their answers. */
const outcomesOf = (deps: SendDeps, pack: Pack, calls: readonly Call[], settled: boolean): RecipientOutcome[] =>
  pack.recipients.flatMap(({ status, attempts: before }, position): RecipientOutcome[] => {
    if (before === undefined || isDone(status, before)) return [];
    const mine = calls.filter((call) => call.position === position);
    if (!settled && !isNews(status, before, mine)) return [];
    const attempts = { ...before };
    for (const { device, before: attempt, answer } of mine)
      if (answer !== undefined) attempts[device.id] = afterAnswer(attempt, answer.kind);
    const all = Object.values(attempts);
    if (all.some(({ outcome }) => outcome === "accepted"))
      return [{ position, attempts, result: { kind: "sent", at: deps.now() } }];
    const reason = failedReason(all);
    return [{ position, attempts, result: reason === undefined ? undefined : { kind: "failed", reason } }];
  });

const SECOND_MS = 1000;

/** Doubles from one second, with half of it by chance, and never before FCM's Retry-After. */
const pauseSeconds = (deps: SendDeps, pack: Pack, calls: readonly Call[]): number => {
  const tries = Math.max(
    1,
    ...pack.recipients.flatMap(({ attempts }) => Object.values(attempts ?? {}).map((a) => a.tries)),
  );
  const backoff = Math.min(PUSH_RETRY_MAX_SECONDS, 2 ** (tries - 1));
  const asked = calls.map(({ answer }) => (answer?.kind === "retry" ? (answer.retryAfterMs ?? 0) / SECOND_MS : 0));
  return Math.ceil(Math.max(backoff / 2 + (deps.random() * backoff) / 2, ...asked));
};

/** Devices that FCM does not know any more are forgotten, unless they were registered again meanwhile. */
const prune = async (deps: SendDeps, pack: Pack, calls: readonly Call[]): Promise<void> => {
  for (const { position, device, answer } of calls) {
    const userId = pack.recipients[position]?.userId;
    if (answer?.kind === "unregistered" && userId !== undefined)
      await pruneDevice(deps, pack.workspaceId, userId, device.id, device.registeredAt);
  }
};

const count = (deps: SendDeps, calls: readonly Call[]): void => {
  const of = (kind: PushOutcome["kind"]) => calls.filter(({ answer }) => answer?.kind === kind).length;
  const refused = calls.length - of("accepted");
  if (calls.length > refused) deps.log.metric(metrics.pushSent, calls.length - refused);
  if (refused > 0) deps.log.metric(metrics.pushFailed, refused);
  if (of("auth") > 0) deps.log.metric(metrics.pushAuthFailed, of("auth"));
};

/** Marks what is left of a pack as never to be sent: too late, or acknowledged before. */
const giveUp = async (
  deps: SendDeps,
  pack: Pack,
  leaseId: string,
  outcome: DeviceOutcome,
  reasonOf: (attempts: readonly DeviceAttempt[]) => string,
): Promise<Pack | undefined> => {
  const outcomes = pack.recipients.flatMap(({ status, attempts }, position): RecipientOutcome[] => {
    if (isDone(status, attempts)) return [];
    const given = Object.fromEntries(
      Object.entries(attempts ?? {}).map(([id, attempt]) => [id, isFinal(attempt) ? attempt : { ...attempt, outcome }]),
    );
    const all = Object.values(given);
    const sent = all.some((attempt) => attempt.outcome === "accepted");
    return [
      {
        position,
        attempts: given,
        result: sent ? { kind: "sent", at: deps.now() } : { kind: "failed", reason: reasonOf(all) },
      },
    ];
  });
  const stored = await storeOutcomes(deps, pack, leaseId, outcomes, true);
  return stored.kind === "stored" ? stored.pack : undefined;
};

/** Makes the calls side by side; what is known is stored each second, so that one slow device holds up nobody. */
const sendAll = async (
  deps: SendDeps,
  pack: Pack,
  message: PushMessage,
  leaseId: string,
  calls: readonly Call[],
): Promise<Pack | undefined> => {
  const all = Promise.all(calls.map((call) => push(deps, pack, message, call)));
  let current = pack;
  for (let round = 0; round < SEND_SETTLE_ROUNDS; round += 1) {
    const late = await Promise.race([
      all.then(() => false),
      deps.sleep(SEND_SETTLE_SECONDS * SECOND_MS).then(() => true),
    ]);
    if (!late) break;
    const known = outcomesOf(deps, current, calls, false);
    if (known.length === 0) continue;
    const stored = await storeOutcomes(deps, current, leaseId, known, false);
    if (stored.kind === "stored") current = stored.pack;
  }
  await all;
  count(deps, calls);
  const stored = await storeOutcomes(deps, current, leaseId, outcomesOf(deps, current, calls, true), true);
  await prune(deps, pack, calls);
  return stored.kind === "stored" ? stored.pack : undefined;
};

/** The packs under the same marker, those after its own first: packs are finished about in their order. */
const siblingsOf = (own: PackId, { packId, sizes, first = 0 }: PushMessage): string[] => {
  const all = sizes.flatMap(([rule, packs], index) =>
    packIdsOf({ ...own, rule, pack: index === 0 ? first : 0 }, packs),
  );
  const place = all.indexOf(packId);
  return [...all.slice(place + 1), ...all.slice(0, place)];
};

const READ_AT_ONCE = 10;

/** Whether all other packs under the same marker are finished; stops reading at the first that is not. */
const othersFinished = async (deps: SendDeps, message: PushMessage): Promise<boolean> => {
  const own = parsePackId(message.packId);
  if (own === undefined) throw new Error(`${message.packId} is no pack id`);
  const others = siblingsOf(own, message);
  for (let index = 0; index < others.length; index += READ_AT_ONCE) {
    const ids = others.slice(index, index + READ_AT_ONCE);
    const packs = await readPacks(deps, message.marker.ws, ids);
    if (packs.length < ids.length || !packs.every(isFinished)) return false;
  }
  return true;
};

const finish = async (deps: SendDeps, message: PushMessage): Promise<Sent> => {
  if (await othersFinished(deps, message)) await removeMarker(deps, message.marker);
  return done;
};

/** Whether this pack belongs to an escalation step that an acknowledgement has made needless. */
const acknowledgedBefore = async (deps: SendDeps, message: PushMessage): Promise<boolean> => {
  const seq = parseEventId(message.marker.eventId)?.seq;
  const { step, ws } = message.marker;
  if (step === undefined || seq === undefined) return false;
  const escalation = await readEscalation(deps, { ws, seq, rule: step.rule });
  return escalation?.acknowledged ?? false;
};

/**
 * Sends one pack of notifications. The claim notes the devices before FCM is called and the outcomes are stored after
 * it; a device that has its answer is never called again, and one whose answer nobody knows once more at most.
 */
export const sendPack = async (deps: SendDeps, message: PushMessage): Promise<Sent> => {
  const { ws } = message.marker;
  const taken = await take(deps, message);
  if (taken.kind === "left") return taken.pack !== undefined && isFinished(taken.pack) ? finish(deps, message) : done;
  const { pack, leaseId, devices } = taken;
  const calls = callsOf(pack, devices);
  let after: Pack | undefined;
  if (await acknowledgedBefore(deps, message))
    after = await giveUp(deps, pack, leaseId, "expired", () => ACKNOWLEDGED_BEFORE);
  else if (deps.now() > pack.createdAt + pushTtlSeconds(pack.priority) * SECOND_MS)
    after = await giveUp(
      deps,
      pack,
      leaseId,
      "expired",
      (attempts) => failedReason(attempts) ?? "FCM: the push expired before it could be sent",
    );
  else after = await sendAll(deps, pack, message, leaseId, calls);
  if (after === undefined) return done;
  deps.log.info("pack.sent", { workspaceId: ws, eventId: pack.eventId, packId: pack.packId, calls: calls.length });
  return isFinished(after) ? finish(deps, message) : { kind: "again", afterSeconds: pauseSeconds(deps, after, calls) };
};
