import type { Deps } from "../../deps.ts";
import { endsEvent, isHigherPriority, getCurrentPriority, acceptsRepeats } from "../../domain/event/alert.ts";
import {
  toClaimName,
  identifySender,
  type AcceptedEvent,
  type EventContent,
  type EventInput,
} from "../../domain/event/event.ts";
import {
  findNewlyReachedQuotaLevel,
  createQuotaNotice,
  type ServiceEvent,
  type QuotaLevel,
} from "../../domain/event/notices.ts";
import type { StoredEvent } from "../../domain/event/stored-event.ts";
import { formatEventId, formatNonce, parseSeq, type WorkspaceId } from "../../domain/basics/ids.ts";
import { EVENT_MARKER_DUE_MS, IDEMPOTENCY_WINDOW_MS } from "../../domain/basics/limits.ts";
import { computePageLimitForEvent } from "../../domain/workspace/page-limit.ts";
import { isInShadow } from "../../domain/workspace/control.ts";
import { isDecidedByRules } from "../../domain/event/notice.ts";
import { computeDeletableTime } from "../../domain/workspace/retention.ts";
import { computeRateStatus } from "../../domain/workspace/rate-limit.ts";
import { Refusal, type Rate } from "../../domain/basics/refusal.ts";
import type { EventMessage } from "../../queue/messages.ts";
import { sendMessage } from "../../queue/send.ts";
import {
  claimDedupeKey,
  freeKeyOfEndedEvent,
  claimIdempotencyKey,
  setIdempotentEvent,
  readDedupeClaim,
  readDedupeHolder,
  releaseIdempotencyKey,
} from "../../store/claims.ts";
import { storeChangedAt, claimAlertKey, readHolder, readAlertEnd, endAlert } from "../../store/events/alert-changes.ts";
import { admitEvent, admitOwnEvent, refundEvent } from "../../store/events/control.ts";
import { type Control } from "../../domain/workspace/control.ts";
import type { Holder } from "../../store/episodes.ts";
import { createEvent, readEvent } from "../../store/events/events.ts";
import { putMarker } from "../../store/events/markers.ts";
import { markLost, unmarkLost } from "../../store/events/sequence.ts";
import { metrics } from "../../wiring.ts";
import { verifyApiKey, recallApiKey, rememberApiKey, recordKeyUse, type KeyMemory, type KeyInfo } from "./key-cache.ts";
import { refuseAdmission } from "./refuse-admission.ts";
import { repeatEvent } from "./repeat-event.ts";
import { copyTitleOfEndedEvent } from "./copy-title.ts";
import { DAY_MS } from "../../domain/basics/units.ts";

export type IngestDeps = Pick<Deps, "table" | "now" | "newId" | "log"> & { queues: Pick<Deps["queues"], "events"> };

/**
 * `body`: the request body as received, which a retry must repeat. `source`: set if a tool sent the event in its own format. If
 * different senders send equal keys for a tool's alerts, these are different alerts. `formerKey`: the event's key in earlier
 * versions of the service. `untitled`: the event gets the title of the event that it ends.
 */
export type IngestInput = {
  event: EventInput;
  idempotency: { key: string; body: string } | undefined;
  source?: { changedAt?: number | undefined; formerKey?: string | undefined; untitled?: boolean };
};

export type IngestRequest = { apiKey: { workspaceId: WorkspaceId; hash: Uint8Array }; input: IngestInput };

/** An event of the service itself. A second event with the same `once` is ignored. */
export type OwnEvent = ServiceEvent & { workspaceId: WorkspaceId };

/** `hash`: the hash of the API key; undefined for the service's own events. */
type Call = {
  workspaceId: WorkspaceId;
  hash: Uint8Array | undefined;
  event: EventContent;
  isSource?: boolean;
  untitled?: boolean;
};

export type IngestAnswer =
  | { kind: "created"; eventId: string; receivedAt: number; content: EventContent; rate: Rate; replayed: boolean }
  /** `isWorse`: whether the repeat has raised the priority of the event. */
  | { kind: "duplicate"; eventId: string; replayed: boolean; isWorse?: boolean };

/** If SQS has not accepted the message within this time, the sweeper sends it. */
const ENQUEUE_TIMEOUT_MS = 800;

/** How long a repeated `once` creates no second event of the service itself. The events are stored at least for this time. */
const OWN_EVENT_ONCE_DAYS = 60;
const OWN_EVENT_ONCE_MS = OWN_EVENT_ONCE_DAYS * DAY_MS;

type Ingestion = { deps: IngestDeps; memory: KeyMemory; request: string; call: Call };

/** Notifies the owners if the event reaches a level of the month's quota. If this fails, the next audit notifies the owners. */
const notifyOfQuotaLevel = async (deps: IngestDeps, ws: WorkspaceId, control: Control): Promise<void> => {
  const level = findNewlyReachedQuotaLevel(control);
  if (level === undefined) return;
  try {
    await notifyOfQuota(deps, ws, control, level);
  } catch (error) {
    deps.log.error("quota.not_notified", error, { workspaceId: ws, percent: level });
  }
};

/** Returns the event's content with its sender, and with `resolvesAny` if the event may end the alerts of every sender. */
const toStoredContent = ({ call }: Pick<Ingestion, "call">, sender: KeyInfo["sender"]): EventContent => {
  const { event, hash } = call;
  const resolvesAny = event.resolves !== undefined && (hash === undefined || sender?.scope.mayResolve === "any");
  return {
    ...event,
    ...(sender === undefined ? {} : { sender: sender.sender }),
    ...(resolvesAny ? { resolvesAny } : {}),
  };
};

/**
 * Returns the id of the event that event `id` ends, if any (`ends`), or `late` if a newer change of the alert arrived before. If
 * the event belongs to an alert of a source, also stores the alert's end and frees its dedupeKey.
 */
const findEndedEvent = async (
  { deps, call: { workspaceId: ws } }: Ingestion,
  id: string,
  content: EventContent,
): Promise<Pick<AcceptedEvent, "ends" | "late">> => {
  const { resolves, resolvesAny, changedAt, sender, alert } = content;
  if (resolves === undefined) return {};
  const by = resolvesAny === true ? undefined : identifySender(sender);
  const name = toClaimName(content, resolves);
  const findHolder = async (key: string) => {
    const ends = await readDedupeHolder(deps, ws, key, by);
    return ends === undefined ? {} : { ends };
  };
  // The dedupeKey's event is read before the key is freed, because no other list contains an event that matched no rule.
  const own = await (changedAt === undefined ? findHolder(name) : endAlert(deps, ws, name, { id, at: changedAt, by }));
  if (alert !== true || "late" in own) return own;
  // The alert's end is also stored without a sender, so that it applies to alerts of any sender and of earlier versions.
  const others =
    resolvesAny === true
      ? await endAlert(deps, ws, resolves, { id, at: changedAt ?? deps.now() })
      : "ends" in own
        ? {}
        : await findHolder(resolves);
  return "ends" in own || "late" in others ? own : others;
};

/** Stores the event's marker, then the event, and queues the event. `duplicate`: another request has stored the event already. */
const storeEvent = async (
  context: Ingestion,
  { eventId, flapping }: Pick<Holder, "eventId" | "flapping">,
  { control, sender }: KeyInfo,
): Promise<IngestAnswer> => {
  const { deps, request, call } = context;
  const now = deps.now();
  const ws = call.workspaceId;
  const due = now + EVENT_MARKER_DUE_MS;
  const sent = toStoredContent(context, sender);
  const end = await findEndedEvent(context, eventId, sent);
  const content = call.untitled === true ? await copyTitleOfEndedEvent(deps, ws, sent, end.ends) : sent;
  const valve = computePageLimitForEvent(control.loud, parseSeq(eventId), now);
  const event: AcceptedEvent = {
    workspaceId: ws,
    eventId,
    receivedAt: now,
    rulesVersion: control.rulesVersion,
    peopleVersion: control.peopleVersion,
    content,
    ...end,
    ...(valve === undefined ? {} : { valve }),
    ...(flapping === undefined ? {} : { flapping }),
    ...(isInShadow(control, now) && isDecidedByRules(content) ? { shadow: true } : {}),
    keptUntil: computeDeletableTime(
      now,
      Math.max(control.plan.retentionDays, call.hash === undefined ? OWN_EVENT_ONCE_DAYS : 0),
    ),
  };
  await putMarker(deps, { ws, eventId, due, since: now, tries: 0 });
  if ((await createEvent(deps, event, request)) === "exists") return { kind: "duplicate", eventId, replayed: false };
  // The dedupeKey is freed, so that the ended alert can start again as a new event.
  await freeKeyOfEndedEvent(deps, event);
  const message: EventMessage = { kind: "accepted", event, due };
  try {
    await sendMessage(deps.queues.events, message, { timeoutMs: ENQUEUE_TIMEOUT_MS });
  } catch (error) {
    deps.log.error("event.not_enqueued", error, { workspaceId: ws, eventId });
  }
  deps.log.info("event.accepted", { workspaceId: ws, eventId });
  if (call.hash !== undefined)
    await Promise.all([notifyOfQuotaLevel(deps, ws, control), recordKeyUse(context, sender)]);
  return {
    kind: "created",
    eventId,
    receivedAt: now,
    content: event.content,
    rate: computeRateStatus(control, deps.now()),
    replayed: false,
  };
};

/** Stores an event's id with the Idempotency-Key, before the event. After a refusal, the event must not be stored. */
type SetEventId = (eventId: string) => Promise<Refusal | undefined>;

/** Returns whether an API key that may resolve any alert has ended the event's alert. */
const isEndedByOther = async ({ deps, call }: Ingestion, event: StoredEvent): Promise<boolean> => {
  const { alert, dedupeKey } = event.content;
  const ended =
    alert !== true || dedupeKey === undefined ? undefined : await readAlertEnd(deps, call.workspaceId, dedupeKey);
  return ended !== undefined && endsEvent(ended, event, false);
};

/** Stores a repeat if the alert is open, or if the repeat raises the event's priority. Returns "over" if the event has ended. */
const storeRepeat = async (
  { deps, request, call }: Ingestion,
  event: StoredEvent,
): Promise<Extract<IngestAnswer, { kind: "duplicate" }> | "over"> => {
  const { eventId, content, plan, life } = event;
  const { priority } = call.event;
  const isWorse = isHigherPriority(priority, getCurrentPriority(event));
  const isOpen = plan === undefined || life.needsAck || life.heldBy !== undefined;
  const isNoted = isWorse || (content.alert === true && isOpen);
  const repeated = isNoted ? await repeatEvent(deps, event, { priority, by: request }, ENQUEUE_TIMEOUT_MS) : "repeated";
  return repeated === "over" ? "over" : { kind: "duplicate", eventId, replayed: false, isWorse };
};

/**
 * Answers with the event that holds the dedupeKey. If the key's holder was never stored, stores this event under the holder's id.
 * Returns "over" if the event that holds the key accepts no more repeats.
 */
const answerWithHolder = async (
  context: Ingestion,
  holder: Holder,
  setEventId: SetEventId,
): Promise<IngestAnswer | Refusal | "over"> => {
  const { deps, call } = context;
  const { eventId, until, changed, isNewer } = holder;
  const proven = await verifyApiKey(context);
  if (proven instanceof Refusal) return proven;
  const existing = await readEvent(deps, call.workspaceId, eventId);
  if (existing === undefined)
    return until <= deps.now() ? "over" : ((await setEventId(eventId)) ?? storeEvent(context, holder, proven));
  if (isNewer === true) return { kind: "duplicate", eventId, replayed: false };
  const isShadow = isInShadow(proven.control, deps.now());
  if (!acceptsRepeats(existing, until, deps.now(), isShadow) || (await isEndedByOther(context, existing)))
    return "over";
  const { dedupeKey, changedAt } = call.event;
  if (dedupeKey !== undefined && changedAt !== undefined && changedAt !== changed) {
    const name = toClaimName(call.event, dedupeKey);
    if (!(await storeChangedAt(deps, call.workspaceId, name, eventId, changedAt))) return "over";
  }
  return storeRepeat(context, existing);
};

/** `control`: the control item whose counter gave the event its id. */
type AdmittedEvent = KeyInfo & { eventId: string };

/** Refunds the event number and the quota, because another request has created the event. */
const refundAdmission = async ({ deps, call }: Ingestion, { eventId, control }: AdmittedEvent): Promise<void> => {
  const ws = call.workspaceId;
  await markLost(deps, ws, [parseSeq(eventId)]);
  if (call.hash !== undefined) await refundEvent(deps, ws, control.month);
};

/** Checks API key, rate and quota. Returns the event's new id, or a refusal. */
const admitRequest = async (context: Ingestion): Promise<AdmittedEvent | Refusal> => {
  const { deps, request, call } = context;
  const { workspaceId, hash } = call;
  const counter = call.event.probe === undefined ? "seq" : "probes";
  const guess = hash === undefined ? undefined : (recallApiKey(context) ?? (await verifyApiKey(context)));
  if (guess instanceof Refusal) return guess;
  const admission =
    hash === undefined || guess === undefined
      ? await admitOwnEvent(deps, workspaceId, request, counter)
      : await admitEvent(deps, workspaceId, hash, request, guess.control);
  const sender = guess?.sender;
  if (admission.kind !== "admitted") {
    if (admission.kind === "bad_key") context.memory.delete(workspaceId);
    else if (admission.kind !== "contended") rememberApiKey(context, { control: admission.control, sender });
    return refuseAdmission(admission, deps.now());
  }
  const { control } = admission;
  rememberApiKey(context, { control, sender });
  const nonce = formatNonce(deps.newId("evt"), deps.now() >= control.spreadsFrom);
  return { eventId: formatEventId({ seq: control[counter], nonce }), control, sender };
};

/** Reads the event that holds the dedupeKey. A read before a claim may be stale, because the claim detects a stale event. */
const findDedupeKeyHolder = async ({ deps, call }: Ingestion, isConsistent: boolean): Promise<Holder | undefined> => {
  const { dedupeKey, changedAt, alert = false } = call.event;
  if (dedupeKey === undefined) return undefined;
  const name = toClaimName(call.event, dedupeKey);
  if (changedAt !== undefined) return readHolder(deps, call.workspaceId, name, changedAt);
  // An alert that starts again after its end is a new event, not a repeat.
  return readDedupeClaim(deps, call.workspaceId, name, { consistent: isConsistent || alert, isAlert: alert });
};

/**
 * Claims the event's dedupeKey, if it has one. Returns the key's holder: an earlier event, or this event. `endedEventId`: a
 * holder of the key that is over, which this event replaces.
 */
const claimDedupeKeyForEvent = async (
  context: Ingestion,
  admitted: AdmittedEvent,
  endedEventId: string | undefined,
): Promise<Holder> => {
  const { deps, call } = context;
  const { dedupeKey, changedAt, alert } = call.event;
  const { eventId, control, sender } = admitted;
  if (dedupeKey === undefined) return { eventId, flapping: undefined, until: 0 };
  const { workspaceId: ws } = call;
  const kept = alert === true ? { keptUntil: computeDeletableTime(deps.now(), control.plan.retentionDays) } : {};
  const claim = { eventId, sender: identifySender(toStoredContent(context, sender).sender), endedEventId, ...kept };
  const name = toClaimName(call.event, dedupeKey);
  return changedAt === undefined
    ? claimDedupeKey(deps, ws, name, claim)
    : claimAlertKey(deps, ws, name, claim, changedAt);
};

/** Returns the refusal of `setEventId`, if any; after a refusal, refunds the admission unless a dedupeKey has the event's id. */
const setEventIdOrRefund = async (
  context: Ingestion,
  admitted: AdmittedEvent,
  setEventId: SetEventId,
): Promise<Refusal | undefined> => {
  const refusal = await setEventId(admitted.eventId);
  if (refusal !== undefined && context.call.event.dedupeKey === undefined) await refundAdmission(context, admitted);
  return refusal;
};

/** Stores an admitted event, or answers with the event that holds its dedupeKey. */
const storeUnderDedupeKey = async (
  context: Ingestion,
  admitted: AdmittedEvent,
  setEventId: SetEventId,
  endedEventId: string | undefined,
): Promise<IngestAnswer | Refusal> => {
  const holder = await claimDedupeKeyForEvent(context, admitted, endedEventId);
  if (holder.eventId === admitted.eventId)
    return (await setEventIdOrRefund(context, admitted, setEventId)) ?? storeEvent(context, holder, admitted);
  const joined = await answerWithHolder(context, holder, setEventId);
  if (joined === "over") return storeUnderDedupeKey(context, admitted, setEventId, holder.eventId);
  await refundAdmission(context, admitted);
  return joined;
};

/** Answers with the event that holds the dedupeKey, or else admits and stores this event. */
const claimAndIngest = async (context: Ingestion, setEventId: SetEventId): Promise<IngestAnswer | Refusal> => {
  const recalled = await findDedupeKeyHolder(context, false);
  const joined = recalled === undefined ? "over" : await answerWithHolder(context, recalled, setEventId);
  if (joined !== "over") return joined;
  const admission = await admitRequest(context);
  if (!(admission instanceof Refusal)) return storeUnderDedupeKey(context, admission, setEventId, recalled?.eventId);
  // Reads consistently which event has the dedupeKey, because a duplicate must not be refused for quota or rate.
  const original = admission.kind === "unauthenticated" ? undefined : await findDedupeKeyHolder(context, true);
  const late = original === undefined ? "over" : await answerWithHolder(context, original, setEventId);
  return late === "over" ? admission : late;
};

/** Returns the answer of the request that created the event; undefined if the event is not stored. */
const readReplayedAnswer = async (context: Ingestion, eventId: string): Promise<IngestAnswer | Refusal | undefined> => {
  const event = await readEvent(context.deps, context.call.workspaceId, eventId);
  if (event === undefined) return undefined;
  const { receivedAt, content } = event;
  const proven = await verifyApiKey(context);
  if (proven instanceof Refusal) return proven;
  const rate = computeRateStatus(proven.control, context.deps.now());
  return { kind: "created", eventId, receivedAt, content, rate, replayed: true };
};

/** Turns a duplicate without a dedupeKey into a replay: only an earlier attempt of the same request can have stored the event. */
const markReplay = async (context: Ingestion, answer: IngestAnswer | Refusal): Promise<IngestAnswer | Refusal> =>
  answer.kind === "duplicate" && context.call.event.dedupeKey === undefined
    ? ((await readReplayedAnswer(context, answer.eventId)) ?? answer)
    : answer;

const refuseInProgress = (): Refusal =>
  new Refusal("request_in_progress", "The first request with this Idempotency-Key is still in progress. Try again.", {
    retryAfterSeconds: 1,
  });

type ClaimedKey = Awaited<ReturnType<typeof claimIdempotencyKey>>;

/** Gives the same answer as the first request, and completes the first request's work if necessary. */
const replayFirstAnswer = async (
  context: Ingestion,
  found: Extract<ClaimedKey, { kind: "replay" }>,
  proven: KeyInfo,
): Promise<IngestAnswer | Refusal> => {
  if (found.deduplicated) return { kind: "duplicate", eventId: found.eventId, replayed: true };
  const answer = await readReplayedAnswer(context, found.eventId);
  if (answer !== undefined) return answer;
  if (found.inProgress) return refuseInProgress();
  const holder = await findDedupeKeyHolder(context, true);
  const { eventId } = found;
  const finished = await storeEvent(
    context,
    holder?.eventId === eventId ? holder : { eventId, flapping: undefined },
    proven,
  );
  // The first request may be hours old, and the sweeper may have marked the event's number as lost.
  await unmarkLost(context.deps, context.call.workspaceId, parseSeq(found.eventId));
  return markReplay(context, finished);
};

/** Processes the first request with an Idempotency-Key. Frees the key if the request is refused. */
const ingestFirstRequest = async (context: Ingestion, key: string): Promise<IngestAnswer | Refusal> => {
  const { deps, request, call } = context;
  const ws = call.workspaceId;
  const setAnswerOrRefuse = async (eventId: string, deduplicated: boolean): Promise<Refusal | undefined> =>
    (await setIdempotentEvent(deps, ws, key, request, { eventId, deduplicated })) ? undefined : refuseInProgress();
  const made = await markReplay(context, await claimAndIngest(context, (eventId) => setAnswerOrRefuse(eventId, false)));
  const answer = made.kind === "duplicate" ? ((await setAnswerOrRefuse(made.eventId, true)) ?? made) : made;
  if (answer instanceof Refusal) await releaseIdempotencyKey(deps, ws, key, request);
  return answer;
};

/** Ingests the first request with an Idempotency-Key. For `windowMs`, requests with the same key get the same answer. */
const ingestWithIdempotencyKey = async (
  context: Ingestion,
  { key: sent, body }: { key: string; body: string },
  windowMs: number,
): Promise<IngestAnswer | Refusal> => {
  const { deps, request, call } = context;
  // Two installations of a tool may use the same id for different messages.
  const key = call.isSource === true ? JSON.stringify([identifySender(call.event.sender), sent]) : sent;
  const proven = await verifyApiKey(context);
  if (proven instanceof Refusal) return proven;
  const found = await claimIdempotencyKey(deps, call.workspaceId, { key, body, windowMs }, request);
  switch (found.kind) {
    case "other_body": {
      const message = "This Idempotency-Key was used with another body. Use a new key.";
      const code = "idempotency_key_reused";
      return new Refusal(code, message, { faults: [{ field: "Idempotency-Key", code, message }] });
    }
    case "in_progress":
      return refuseInProgress();
    case "replay":
      return replayFirstAnswer(context, found, proven);
    case "first":
      return ingestFirstRequest(context, key);
  }
};

/** Adds to a tool's event the sender, the change's time, and whether it belongs to an alert. Refuses an invalid API key. */
const addSenderToSourceCall = async (
  context: Ingestion,
  { changedAt, formerKey, untitled = false }: NonNullable<IngestInput["source"]>,
): Promise<Ingestion | Refusal> => {
  const { deps, call } = context;
  const { event } = call;
  const recalled = recallApiKey(context) ?? (await verifyApiKey(context));
  if (recalled instanceof Refusal) return recalled;
  const named: EventContent = {
    ...event,
    // `changedAt` is never later than now: after a time from a clock that is fast, the alert's next change would look old.
    ...(changedAt === undefined ? {} : { changedAt: Math.min(changedAt, deps.now()) }),
    ...(event.dedupeKey === undefined && event.resolves === undefined ? {} : { alert: true as const }),
    ...(event.resolves === undefined || formerKey === undefined ? {} : { resolvesFormer: formerKey }),
    ...(recalled.sender === undefined ? {} : { sender: recalled.sender.sender }),
  };
  return { ...context, call: { ...call, event: named, isSource: true, untitled } };
};

/** Returns a function that ingests an event. `created`: the event is stored. Throws Refusal 401, 403, 409, 422, 429, 503. */
export const createIngest = (deps: IngestDeps) => {
  const memory: KeyMemory = new Map();
  return async ({ apiKey, input }: IngestRequest): Promise<IngestAnswer> => {
    const { event, idempotency, source } = input;
    const sent: Ingestion = { deps, memory, request: deps.newId("req"), call: { ...apiKey, event } };
    const context = source === undefined ? sent : await addSenderToSourceCall(sent, source);
    if (context instanceof Refusal) throw context;
    const answer = await (idempotency === undefined
      ? claimAndIngest(context, async () => undefined)
      : ingestWithIdempotencyKey(context, idempotency, IDEMPOTENCY_WINDOW_MS));
    if (answer instanceof Refusal) throw answer;
    return answer;
  };
};

/**
 * Creates the function that ingests the service's own events, which need no API key and do not count against the plan. Repeated
 * calls with the same `once` create one event. Returns undefined while another invocation ingests the same event.
 */
export const createOwnIngest = (deps: IngestDeps) => {
  const memory: KeyMemory = new Map();
  return async ({ workspaceId, content, once }: OwnEvent): Promise<{ eventId: string; first: boolean } | undefined> => {
    const call: Call = { workspaceId, hash: undefined, event: content };
    const context: Ingestion = { deps, memory, request: deps.newId("req"), call };
    const answer = await ingestWithIdempotencyKey(context, { key: once, body: once }, OWN_EVENT_ONCE_MS);
    if (answer.kind === "request_in_progress") return undefined;
    if (answer instanceof Refusal) throw answer;
    return { eventId: answer.eventId, first: answer.kind === "created" && !answer.replayed };
  };
};

/** Notifies the owners of how much of the monthly quota is used, once a month for each level. */
export const notifyOfQuota = async (
  deps: IngestDeps,
  ws: WorkspaceId,
  control: Control,
  level: QuotaLevel,
): Promise<void> => {
  const made = await createOwnIngest(deps)({ workspaceId: ws, ...createQuotaNotice(control, level) });
  if (made?.first !== true) return;
  deps.log.metric(metrics.quotaPercent, level);
  deps.log.warn("quota.reached", { workspaceId: ws, percent: level });
};
