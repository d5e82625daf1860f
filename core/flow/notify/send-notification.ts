import type { Deps } from "../../deps.ts";
import { parseEventId, parsePackId, type WorkspaceId } from "../../domain/basics/ids.ts";
import {
  formatPageId,
  listCallsToSend,
  computePackExpiry,
  isFinalFailure,
  listRecipientOutcomes,
  expireUnsentAttempts,
  revertClaim,
  computeNextPackRetry,
  type Call,
  addJitter,
} from "../../domain/delivery/attempts.ts";
import { isAnyDelayedByRateLimit } from "../../domain/delivery/pace.ts";
import { listSiblingPacks } from "../../domain/delivery/delivery-plan.ts";
import { interpretAnswers } from "../../domain/delivery/foreign.ts";
import { compareWithPlan } from "../../domain/delivery/ledger.ts";
import { ACKNOWLEDGED_BEFORE, RESOLVED_BEFORE, describeFailedReason } from "../../domain/delivery/notification.ts";
import { isPackFinished, isStepDue, type Pack, type RecipientOutcome } from "../../domain/delivery/pack.ts";
import { readChannelAddress } from "../../domain/device/device.ts";
import { buildMessage } from "../../domain/delivery/push/message.ts";
import type { PushOutcome } from "../../domain/delivery/push/outcome.ts";
import type { EscalationMessage, PackMessage } from "../../queue/messages.ts";
import { sendMessages } from "../../queue/send.ts";
import type { Marker } from "../../domain/event/marker.ts";
import { readEscalation } from "../../store/events/escalations.ts";
import { readEvent } from "../../store/events/events.ts";
import { putMarker, removeMarker } from "../../store/events/markers.ts";
import { readPacks, storeOutcomes } from "../../store/delivery/packs.ts";
import { metrics } from "../../wiring.ts";
import { sendChangeToWebhooks } from "../respond/follow.ts";
import { createReceipt } from "../respond/receipt-for.ts";
import { rebookTurns } from "./channel-turns.ts";
import { updateDevices } from "./update-devices.ts";
import { reasonNotToPage } from "./page-later.ts";
import { openBudget, findPaidChannel, type Budget } from "../admin/budget.ts";
import { isPackDone, computeLatestStepTime, SEND_LEASE_MS, claimPackOfMessage, type PackClaim } from "./claim-pack.ts";
import { repeatUntilDone } from "./repeat-until-done.ts";
import { SECOND_MS } from "../../domain/basics/units.ts";
import { computeDelayUntil, SQS_DELAY_MAX_MS } from "../work.ts";

/** The interval at which known outcomes are stored during a send, so that a slow device does not delay the other outcomes. */
export const SEND_SETTLE_MS = 2 * SECOND_MS;
const UNREADABLE_CREDENTIALS_PAUSE_MS = 5000;
/** The maximum number of writes of known outcomes during a send: FCM answers or times out within five seconds. */
const SEND_SETTLE_ROUNDS = 5;

export type SendDeps = Pick<
  Deps,
  "table" | "push" | "receiptKeys" | "baseUrl" | "now" | "newId" | "random" | "sleep" | "log" | "monthly" | "pace"
> & { queues: Pick<Deps["queues"], "events" | "pushes" | "escalations" | "webhooks"> };

export type SendResult = { kind: "done" } | { kind: "again"; afterMs: number };

/** If the check after a claim takes longer than this, the pack is released: the lease might end before outcomes are stored. */
const CLAIM_MAX_MS = SEND_LEASE_MS / 2;

/** The maximum duration of the last check before the pushes. */
export const CHECK_MAX_MS = 5000;

const done: SendResult = { kind: "done" };

/** Returns the result that repeats a message at `retryAt` (ms), but at the earliest after a second. */
export const retryMessageAt = (deps: SendDeps, retryAt: number): SendResult => ({
  kind: "again",
  afterMs: Math.max(SECOND_MS, retryAt - deps.now()),
});

/**
 * Stores outcomes and returns the pack; undefined if another sender has claimed the pack. Retries until the lease ends, because a
 * push whose outcome is not stored is repeated. `release`: also gives up the lease.
 */
const storeOutcomesInLease = async (
  deps: SendDeps,
  { pack, lease }: PackClaim,
  outcomes: readonly RecipientOutcome[],
  release?: { retryAt: number | undefined },
): Promise<Pack | undefined> => {
  const { workspaceId, packId } = pack;
  const stored = await repeatUntilDone(
    deps,
    lease.until,
    () => storeOutcomes(deps, pack, lease.id, outcomes, release),
    (error) => deps.log.error("pack.not_stored", error, { workspaceId, packId }),
  );
  return stored.kind === "stored" ? stored.pack : undefined;
};

/** After waiting for at least this time, the push worker checks again whether a call is needed. */
const CHECK_AFTER_MS = 100;

/** Waits, then returns whether a push is still needed. Checks only after a long wait, and returns false if the check fails. */
const isStillNeeded = async (
  deps: SendDeps,
  claim: PackClaim,
  message: PackMessage,
  waitMs: number,
): Promise<boolean> => {
  if (waitMs <= 0) return true;
  await deps.sleep(waitMs);
  if (waitMs < CHECK_AFTER_MS || !mayBeUnneeded(claim, message)) return true;
  try {
    return (await reasonNotToSend(deps, claim, message)) === undefined;
  } catch (error) {
    deps.log.error("pack.not_checked", error, { workspaceId: claim.pack.workspaceId, packId: claim.pack.packId });
    return false;
  }
};

/** Sends one push when its turn comes, and sets `call.answer`. */
const sendPush = async (deps: SendDeps, claim: PackClaim, message: PackMessage, budget: Budget, call: Call) => {
  const { pack, receiptKeys } = claim;
  const recipient = pack.recipients[call.position];
  if (recipient === undefined) return;
  if (!(await isStillNeeded(deps, claim, message, (call.before.at ?? 0) - deps.now()))) {
    // The retry checks again whether the push is needed. If the whole pack is unneeded, the retry gives up all of its messages.
    Object.assign(call, { answer: { kind: "retry", code: "NOT_NEEDED" } satisfies PushOutcome });
    return;
  }
  const built = buildMessage({
    workspaceId: pack.workspaceId,
    eventId: pack.eventId,
    notificationId: recipient.notificationId,
    title: message.text.title,
    body: message.text.body,
    siteName: message.text.siteName,
    url: message.text.url,
    priority: pack.priority,
    requiresAck: pack.requiresAck,
    quiet: recipient.quiet,
    again: call.before.rang !== undefined,
    to: readChannelAddress(call),
    consoleUrl: deps.baseUrl,
    platform: call.device.platform,
    nowMs: deps.now(),
    once: formatPageId(pack, call),
    receipt: await createReceipt(deps, receiptKeys, call.device, {
      workspaceId: pack.workspaceId,
      userId: recipient.userId,
      about: recipient.notificationId,
    }),
  });
  const sendBuiltPush = () => deps.push.send(built, call.device);
  const channel = findPaidChannel(built);
  const answer = channel === undefined ? await sendBuiltPush() : await budget.spend(channel, sendBuiltPush);
  Object.assign(call, { answer });
};

/** Reports how many pushes were accepted, failed or refused for credentials, as metrics. */
export const logPushCounts = (deps: SendDeps, calls: readonly Call[]): void => {
  const countAnswers = (kind: PushOutcome["kind"]) => calls.filter(({ answer }) => answer?.kind === kind).length;
  const failed = calls.filter(({ before, answer }) => answer !== undefined && isFinalFailure(before, answer)).length;
  if (countAnswers("accepted") > 0) deps.log.metric(metrics.pushSent, countAnswers("accepted"));
  if (failed > 0) deps.log.metric(metrics.pushFailed, failed);
  if (countAnswers("auth") > 0) deps.log.metric(metrics.pushAuthFailed, countAnswers("auth"));
};

/** Sends a pack's pushes; stores known outcomes every two seconds. Returns the pack, unless another sender claimed it. */
const sendAllPushes = async (
  deps: SendDeps,
  claim: PackClaim,
  message: PackMessage,
  budget: Budget,
  calls: readonly Call[],
): Promise<Pack | undefined> => {
  const all = Promise.all(calls.map((call) => sendPush(deps, claim, message, budget, call)));
  const interpretKnownAnswers = () => interpretAnswers(current.pack, claim.devices, calls);
  let current = claim;
  for (let round = 0; round < SEND_SETTLE_ROUNDS; round += 1) {
    const late = await Promise.race([all.then(() => false), deps.sleep(SEND_SETTLE_MS).then(() => true)]);
    if (!late) break;
    const outcomes = listRecipientOutcomes(current.pack, interpretKnownAnswers(), {
      settled: false,
      now: deps.now(),
      random: deps.random(),
    });
    if (outcomes.length === 0) continue;
    const pack = await storeOutcomesInLease(deps, current, outcomes);
    if (pack !== undefined) current = { ...current, pack };
  }
  await all;
  const answered = interpretKnownAnswers();
  logPushCounts(deps, answered);
  await rebookTurns(deps, answered, { urgent: claim.pack.priority === "URGENT" });
  const now = deps.now();
  const outcomes = listRecipientOutcomes(current.pack, answered, { settled: true, now, random: deps.random() });
  const release = { retryAt: computeNextPackRetry(current.pack, outcomes, { now, pace: deps.pace }) };
  const after = await storeOutcomesInLease(deps, current, outcomes, release);
  await updateDevices(deps, claim.pack, answered);
  return after;
};

const READ_AT_ONCE = 10;

const doAllPacksMatch = async (
  deps: SendDeps,
  ws: WorkspaceId,
  packIds: readonly string[],
  matches: (pack: Pack) => boolean,
): Promise<boolean> => {
  const left = [...packIds];
  // The pack that is sent last is read first: if it does not match, the other packs need no read.
  for (let ids = left.splice(0, 1); ids.length > 0; ids = left.splice(0, READ_AT_ONCE)) {
    const packs = await readPacks(deps, ws, ids);
    if (packs.length < ids.length || !packs.every(matches)) return false;
  }
  return true;
};

/** Returns whether all other packs of the message's marker are finished. */
const haveOtherPacksFinished = (deps: SendDeps, message: PackMessage): Promise<boolean> =>
  doAllPacksMatch(deps, message.marker.ws, listSiblingPacks(message), isPackFinished);

const haveAllFailed = (pack: Pack): boolean => pack.recipients.every(({ status }) => status === "FAILED");

/** Returns whether all notifications in the other packs of the pack's rule have failed. */
const haveOtherPacksFailed = (deps: SendDeps, message: PackMessage): Promise<boolean> => {
  const rule = parsePackId(message.packId)?.rule;
  const others = listSiblingPacks(message).filter((packId) => parsePackId(packId)?.rule === rule);
  return doAllPacksMatch(deps, message.marker.ws, others, haveAllFailed);
};

/** Fires the next step early if all notifications failed. Writes a marker first, which fires the step if the message is lost. */
const wakeEscalatorEarly = async (deps: SendDeps, message: PackMessage, pack: Pack): Promise<void> => {
  const place = parsePackId(pack.packId);
  if (!pack.escalates || place === undefined || !haveAllFailed(pack) || !(await haveOtherPacksFailed(deps, message)))
    return;
  const { ws } = message.marker;
  const escalation = await readEscalation(deps, { ws, seq: place.seq, rule: place.rule });
  const now = deps.now();
  if (escalation?.next === undefined || escalation.acknowledged) return;
  if (escalation.next.due <= now) return;
  const step = { rule: place.rule, cursor: escalation.next.cursor };
  const marker: Marker = { ws, eventId: pack.eventId, due: now, step, since: now, tries: 0 };
  await putMarker(deps, marker);
  await sendMessages(deps.queues.escalations, [{ message: { marker } satisfies EscalationMessage }]);
};

/** Logs an error unless the finished pack contains every planned person exactly once, as notified or failed. */
const checkRecipientsOfPack = (deps: SendDeps, { userIds }: PackMessage, pack: Pack): void => {
  const { workspaceId, eventId, packId } = pack;
  const { faults } = compareWithPlan([{ packId, userIds }], [pack], { finished: true });
  if (faults.length === 0) return;
  deps.log.metric(metrics.ledgerFaults, faults.length);
  deps.log.error("pack.not_reconciled", new Error(faults.join("; ")), { workspaceId, eventId, packId });
};

/** Completes a pack after its last outcome: wakes the escalator if everything failed, removes the marker after the last pack. */
const finishPack = async (deps: SendDeps, message: PackMessage, pack: Pack): Promise<SendResult> => {
  checkRecipientsOfPack(deps, message, pack);
  await wakeEscalatorEarly(deps, message, pack);
  // A failed notification may mean that the rule reached nobody, which changes the event's timeline.
  if (haveAllFailed(pack))
    await sendChangeToWebhooks(deps, { workspaceId: pack.workspaceId, eventId: pack.eventId, plan: pack });
  if (await haveOtherPacksFinished(deps, message)) await removeMarker(deps, message.marker);
  return done;
};

const isEscalationAcknowledged = async (deps: SendDeps, message: PackMessage): Promise<boolean> => {
  const seq = parseEventId(message.marker.eventId)?.seq;
  const { step, ws } = message.marker;
  if (step === undefined || seq === undefined) return false;
  const escalation = await readEscalation(deps, { ws, seq, rule: step.rule });
  return escalation?.acknowledged ?? false;
};

const releaseClaim = (deps: SendDeps, claim: PackClaim): Promise<Pack | undefined> =>
  storeOutcomesInLease(deps, claim, revertClaim(claim.pack), { retryAt: undefined });

/** Returns why the pack need not be sent; undefined if it must be sent. */
const reasonNotToSend = async (
  deps: SendDeps,
  { pack }: PackClaim,
  message: PackMessage,
): Promise<string | undefined> => {
  const isLater = message.marker.ring !== undefined;
  const event = pack.requiresAck || isLater ? await readEvent(deps, message.marker.ws, pack.eventId) : undefined;
  if (event?.life.resolved !== undefined) return RESOLVED_BEFORE;
  if (isLater && event !== undefined) return reasonNotToPage(deps, event, pack);
  return (await isEscalationAcknowledged(deps, message)) ? ACKNOWLEDGED_BEFORE : undefined;
};

/** Returns whether an acknowledgement or the event's end may have made the pack unneeded. */
const mayBeUnneeded = ({ pack }: PackClaim, { marker: { step, ring } }: PackMessage): boolean =>
  pack.requiresAck || step !== undefined || ring !== undefined;

/** Returns why the pack need not be sent; undefined if needed. On a failure or a timeout, releases the claim and throws. */
const recheckNeed = async (deps: SendDeps, claim: PackClaim, message: PackMessage): Promise<string | undefined> => {
  if (!mayBeUnneeded(claim, message)) return undefined;
  const late = deps.sleep(CHECK_MAX_MS).then(() => {
    throw new Error(`the last check before the pushes took longer than ${CHECK_MAX_MS} ms`);
  });
  try {
    return await Promise.race([reasonNotToSend(deps, claim, message), late]);
  } catch (error) {
    await releaseClaim(deps, claim);
    throw error;
  }
};

/** Returns the answer for a pack that another sender has claimed, that is finished, or that is not due for a retry. */
const skipSend = (deps: SendDeps, message: PackMessage, pack: Pack | undefined): SendResult | Promise<SendResult> => {
  if (pack === undefined) return done;
  if (isPackDone(deps, message, pack)) return finishPack(deps, message, pack);
  // The invocation that has claimed the pack does not send a step that became due after the claim.
  if (isStepDue(pack, computeLatestStepTime(deps, message))) return retryMessageAt(deps, deps.now() + SEND_SETTLE_MS);
  if (pack.retryAt === undefined || pack.retryAt <= deps.now()) return done;
  return message.turn === pack.retryAt
    ? requeueForTurn(deps, message, pack.retryAt)
    : retryMessageAt(deps, pack.retryAt);
};

/** Queues the message again for the time `turn` (ms), as a new SQS message, whose receive count starts at zero. */
const requeueForTurn = async (deps: SendDeps, message: PackMessage, turn: number): Promise<SendResult> => {
  const delayMs = computeDelayUntil(turn, deps.now()) ?? SQS_DELAY_MAX_MS;
  await sendMessages(deps.queues.pushes, [{ message: { ...message, turn }, delayMs }]);
  return done;
};

/**
 * Sends a pack. Stores the devices in the claim before calling push services, and the outcomes afterwards: a device whose outcome
 * is known gets no second push, and a device whose outcome is unknown gets at most one more. Reads as much as possible before the
 * claim. Releases the pack if a later read fails, because the claim would look like an unanswered push.
 */
export const sendPack = async (
  deps: SendDeps,
  message: PackMessage,
  hasTime: () => boolean = () => true,
): Promise<SendResult> => {
  const budget = openBudget(deps, message.marker.ws);
  try {
    return await sendPackWithinBudget(deps, message, budget, hasTime);
  } finally {
    await budget.close();
  }
};

const sendPackWithinBudget = async (
  deps: SendDeps,
  message: PackMessage,
  budget: Budget,
  hasTime: () => boolean,
): Promise<SendResult> => {
  const { ws } = message.marker;
  const acknowledged = await isEscalationAcknowledged(deps, message);
  const taken = await claimPackOfMessage(deps, message, budget, hasTime);
  if (taken.kind === "left") return skipSend(deps, message, taken.pack);
  if (taken.kind === "hurried") return { kind: "again", afterMs: 0 };
  if (taken.kind === "unready") {
    deps.log.warn("pack.not_ready", { workspaceId: ws, packId: message.packId });
    return retryMessageAt(deps, deps.now() + addJitter(UNREADABLE_CREDENTIALS_PAUSE_MS, deps.random()));
  }
  const { claim } = taken;
  const { pack, devices } = claim;
  const reason = acknowledged ? ACKNOWLEDGED_BEFORE : await recheckNeed(deps, claim, message);
  const now = deps.now();
  if (now - claim.claimedAt > CLAIM_MAX_MS) {
    await releaseClaim(deps, claim);
    return retryMessageAt(deps, now);
  }
  const calls = listCallsToSend(pack, devices);
  const endWithoutSending = (reasonOf: Parameters<typeof expireUnsentAttempts>[1]) =>
    storeOutcomesInLease(deps, claim, expireUnsentAttempts(pack, reasonOf, deps.now()), { retryAt: undefined });
  let after: Pack | undefined;
  if (reason !== undefined) after = await endWithoutSending(() => reason);
  else if (now > computePackExpiry(pack)) {
    if (calls.length > 0) deps.log.metric(metrics.pushFailed, calls.length);
    after = await endWithoutSending(
      (attempts) => describeFailedReason(attempts) ?? "FCM: the push expired before it could be sent",
    );
  } else after = await sendAllPushes(deps, claim, message, budget, calls);
  if (after === undefined) return done;
  deps.log.info("pack.sent", { workspaceId: ws, eventId: pack.eventId, packId: pack.packId, calls: calls.length });
  if (isPackDone(deps, message, after)) return finishPack(deps, message, after);
  const attempts = after.recipients.flatMap((recipient) => Object.values(recipient.attempts ?? {}));
  if (after.retryAt !== undefined && !isPackFinished(after) && isAnyDelayedByRateLimit(attempts, deps.pace ?? {}))
    return requeueForTurn(deps, message, after.retryAt);
  return retryMessageAt(deps, isPackFinished(after) ? 0 : (after.retryAt ?? 0));
};
