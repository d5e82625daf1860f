import type { Deps } from "../deps.ts";
import type { AcceptedEvent, EventContent, EventInput } from "../domain/event/event.ts";
import { formatEventId, nonceOf, parseEventId } from "../domain/basics/ids.ts";
import { EVENT_MARKER_DUE_SECONDS } from "../domain/basics/limits.ts";
import { badApiKey } from "../domain/people/api-key.ts";
import { nextMonth } from "../domain/people/usage-plan.ts";
import { rateOf, retryAfterSeconds } from "../domain/people/rate-limit.ts";
import { Refusal, type Rate } from "../domain/basics/refusal.ts";
import { toIso } from "../domain/basics/time.ts";
import type { EventMessage } from "../queue/messages.ts";
import { sendMessage } from "../queue/send.ts";
import {
  claimDedupeKey,
  freeDedupeKey,
  claimIdempotencyKey,
  noteIdempotentEvent,
  readDedupeClaim,
  readDedupeHolder,
  releaseIdempotencyKey,
} from "../store/claims.ts";
import {
  admitEvent,
  admitOwnEvent,
  readControl,
  readControlForKey,
  refundEvent,
  type Admission,
} from "../store/control.ts";
import { type Control } from "../domain/people/control.ts";
import { createEvent, readEvent } from "../store/events.ts";
import { putMarker } from "../store/markers.ts";
import { markLost, unmarkLost } from "../store/sequence.ts";

export type IngestDeps = Pick<Deps, "table" | "now" | "newId" | "log"> & { queues: Pick<Deps["queues"], "events"> };

/** What a call of `POST /v1/events` asks for. `body`: the request body as sent, which a retry must repeat. */
export type IngestInput = { event: EventInput; idempotency: { key: string; body: string } | undefined };

/** The API key is not proven yet: the admission proves it. */
export type IngestRequest = { apiKey: { workspaceId: string; hash: Uint8Array }; input: IngestInput };

/** An event that the service itself makes. `once` names it: the same name again means the same event. */
export type OwnEvent = { workspaceId: string; content: EventContent; once: string };

/** `hash`: of the API key that must be valid; undefined for the service's own events, which need no key. */
type Call = { workspaceId: string; hash: Uint8Array | undefined; event: EventContent };

export type IngestAnswer =
  | { kind: "created"; eventId: string; receivedAt: number; content: EventContent; rate: Rate; replayed: boolean }
  | { kind: "duplicate"; eventId: string; replayed: boolean };

/** Ingest waits no longer than this for SQS. If SQS has not taken the message by then, the sweeper enqueues it. */
const ENQUEUE_TIMEOUT_MS = 800;
const REMEMBERED_WORKSPACES = 10_000;

/** What an instance remembers of each workspace: a guess for the next admission, and API keys that were once valid. */
type Memory = Map<string, { control: Control; hashes: Set<string> }>;

type Context = { deps: IngestDeps; memory: Memory; request: string; call: Call };

const remember = ({ memory, call }: Context, control: Control): void => {
  const { workspaceId, hash } = call;
  const hashes = memory.get(workspaceId)?.hashes ?? new Set();
  if (hash !== undefined) hashes.add(Buffer.from(hash).toString("hex"));
  memory.delete(workspaceId);
  memory.set(workspaceId, { control, hashes });
  const [oldest] = memory.keys();
  if (memory.size > REMEMBERED_WORKSPACES && oldest !== undefined) memory.delete(oldest);
};

/** Proves the API key, if one is needed, by a consistent read. */
const proveKey = async (context: Context): Promise<Control> => {
  const { deps, call } = context;
  const { workspaceId, hash } = call;
  const control = await (hash === undefined
    ? readControl(deps, workspaceId)
    : readControlForKey(deps, workspaceId, hash));
  if (control === undefined) throw badApiKey();
  remember(context, control);
  return control;
};

/** The last known control, if this key was valid before. The admission proves the key again. */
const recall = ({ memory, call }: Context): Control | undefined => {
  const known = memory.get(call.workspaceId);
  if (call.hash === undefined) return known?.control;
  return known?.hashes.has(Buffer.from(call.hash).toString("hex")) ? known.control : undefined;
};

const refusalOf = (admission: Exclude<Admission, { kind: "admitted" }>, now: number): Refusal => {
  switch (admission.kind) {
    case "bad_key":
      return badApiKey();
    case "over_quota": {
      const { plan, used, month } = admission.control;
      const resetAt = toIso(nextMonth(month));
      return new Refusal(
        "quota_exceeded",
        `The workspace has used ${used} of the ${plan.monthlyEvents} events of this month; the count starts again at ${resetAt}.`,
        { members: { limit: plan.monthlyEvents, used, resetAt } },
      );
    }
    case "over_rate": {
      const { control } = admission;
      const { eventsPerMinute, burst } = control.plan;
      const seconds = retryAfterSeconds(control, now);
      return new Refusal(
        "rate_limited",
        `The workspace may send ${eventsPerMinute} events a minute, in bursts of at most ${burst}; try again in ${seconds} s.`,
        { retryAfterSeconds: seconds, rate: rateOf(control, now) },
      );
    }
    case "contended":
      return new Refusal("busy", "The workspace is receiving too many events at this moment; try again in 1 s.", {
        retryAfterSeconds: 1,
      });
  }
};

const seqOf = (eventId: string): number => parseEventId(eventId)?.seq ?? 0;

/** Marker, event, message, in this order: the pointer to the work exists before the work does. */
const store = async ({ deps, request, call }: Context, eventId: string, control: Control): Promise<IngestAnswer> => {
  const now = deps.now();
  const ws = call.workspaceId;
  const due = now + EVENT_MARKER_DUE_SECONDS * 1000;
  const { resolves } = call.event;
  // Read before the key is freed: an event that the matcher has not seen yet can be found by its dedupeKey only.
  const ends = resolves === undefined ? undefined : await readDedupeHolder(deps, ws, resolves);
  const event: AcceptedEvent = {
    workspaceId: ws,
    eventId,
    receivedAt: now,
    rulesVersion: control.rulesVersion,
    peopleVersion: control.peopleVersion,
    content: call.event,
    ...(ends === undefined ? {} : { ends }),
  };
  await putMarker(deps, { ws, eventId, due, since: now, tries: 0 });
  if ((await createEvent(deps, event, request)) === "exists") return { kind: "duplicate", eventId, replayed: false };
  // The event that ended may come again at once, and is then no duplicate.
  if (resolves !== undefined && ends !== undefined) await freeDedupeKey(deps, ws, resolves, ends);
  const message: EventMessage = { kind: "accepted", event, due };
  try {
    await sendMessage(deps.queues.events, message, { timeoutMs: ENQUEUE_TIMEOUT_MS });
  } catch (error) {
    // The marker is written: the sweeper enqueues what SQS did not take.
    deps.log.error("event.not_enqueued", error, { workspaceId: ws, eventId });
  }
  deps.log.info("event.accepted", { workspaceId: ws, eventId });
  return {
    kind: "created",
    eventId,
    receivedAt: now,
    content: event.content,
    rate: rateOf(control, deps.now()),
    replayed: false,
  };
};

/** Called with the event's id before the event is stored under it. */
type NoteEvent = (eventId: string) => Promise<void>;

/** Answers with the event that holds the dedupeKey. If it was never stored, stores it under the id that was claimed. */
const join = async (context: Context, eventId: string, noteEvent: NoteEvent): Promise<IngestAnswer> => {
  const control = await proveKey(context);
  const existing = await readEvent(context.deps, context.call.workspaceId, eventId);
  if (existing !== undefined) return { kind: "duplicate", eventId, replayed: false };
  await noteEvent(eventId);
  return store(context, eventId, control);
};

/** The id that was handed out, and the control item that handed it out. */
type Admitted = { eventId: string; control: Control };

/** Gives back this request's number and quota: another request has made the event. */
const giveBack = async ({ deps, call }: Context, { eventId, control }: Admitted): Promise<void> => {
  const ws = call.workspaceId;
  await markLost(deps, ws, [seqOf(eventId)]);
  await refundEvent(deps, ws, control.month);
};

const admit = async (context: Context): Promise<Admitted | Refusal> => {
  const { deps, request, call } = context;
  const { workspaceId, hash } = call;
  const guess = recall(context) ?? (await proveKey(context));
  const admission = await (hash === undefined
    ? admitOwnEvent(deps, workspaceId, request, guess)
    : admitEvent(deps, workspaceId, hash, request, guess));
  if (admission.kind !== "admitted") {
    if (admission.kind === "bad_key") context.memory.delete(workspaceId);
    else if (admission.kind !== "contended") remember(context, admission.control);
    return refusalOf(admission, deps.now());
  }
  remember(context, admission.control);
  const eventId = formatEventId({ seq: admission.control.seq, nonce: nonceOf(deps.newId("evt")) });
  return { eventId, control: admission.control };
};

/**
 * The event that holds the dedupeKey, if any. A stale read is enough where a claim follows, because the claim's
 * condition catches what the read missed.
 */
const look = async ({ deps, call }: Context, consistent: boolean): Promise<string | undefined> => {
  const { dedupeKey } = call.event;
  return dedupeKey === undefined ? undefined : readDedupeClaim(deps, call.workspaceId, dedupeKey, { consistent });
};

/** Claims the dedupeKey for an admitted event. Gives the earlier event if one holds it. */
const claim = async (context: Context, admitted: Admitted): Promise<string | undefined> => {
  const { deps, call } = context;
  const { dedupeKey } = call.event;
  if (dedupeKey === undefined) return undefined;
  const holder = await claimDedupeKey(deps, call.workspaceId, dedupeKey, admitted.eventId);
  if (holder === admitted.eventId) return undefined;
  await giveBack(context, admitted);
  return holder;
};

/** Notes the event's id. If another request took over, gives the admission back unless a dedupeKey claim uses it. */
const note = async (context: Context, admitted: Admitted, noteEvent: NoteEvent): Promise<void> => {
  try {
    await noteEvent(admitted.eventId);
  } catch (error) {
    if (error instanceof Refusal && context.call.event.dedupeKey === undefined) await giveBack(context, admitted);
    throw error;
  }
};

const create = async (context: Context, noteEvent: NoteEvent): Promise<IngestAnswer> => {
  const known = await look(context, false);
  if (known !== undefined) return join(context, known, noteEvent);
  const admission = await admit(context);
  if (admission instanceof Refusal) {
    // A duplicate costs neither quota nor rate, even if this read is the first to see its original.
    const original = admission.kind === "unauthenticated" ? undefined : await look(context, true);
    if (original === undefined) throw admission;
    return join(context, original, noteEvent);
  }
  const earlier = await claim(context, admission);
  if (earlier !== undefined) return join(context, earlier, noteEvent);
  await note(context, admission, noteEvent);
  return store(context, admission.eventId, admission.control);
};

const replayed = async (context: Context, eventId: string): Promise<IngestAnswer | undefined> => {
  const event = await readEvent(context.deps, context.call.workspaceId, eventId);
  if (event === undefined) return undefined;
  const { receivedAt, content } = event;
  const rate = rateOf(await proveKey(context), context.deps.now());
  return { kind: "created", eventId, receivedAt, content, rate, replayed: true };
};

/** Without a dedupeKey, only another try of this same request can have stored the event: its answer is this answer. */
const asFirstAnswer = async (context: Context, answer: IngestAnswer): Promise<IngestAnswer> =>
  answer.kind === "duplicate" && context.call.event.dedupeKey === undefined
    ? ((await replayed(context, answer.eventId)) ?? answer)
    : answer;

const inProgress = () =>
  new Refusal("request_in_progress", "The first request with this Idempotency-Key is still in progress; try again.", {
    retryAfterSeconds: 1,
  });

type Found = Awaited<ReturnType<typeof claimIdempotencyKey>>;

/** A retry gets the answer of the first request, and finishes that request's work if necessary. */
const replayFirst = async (
  context: Context,
  found: Extract<Found, { kind: "replay" }>,
  control: Control,
): Promise<IngestAnswer> => {
  if (found.deduplicated) return { kind: "duplicate", eventId: found.eventId, replayed: true };
  const answer = await replayed(context, found.eventId);
  if (answer !== undefined) return answer;
  if (found.inProgress) throw inProgress();
  const finished = await store(context, found.eventId, control);
  // Hours may have passed, so the number may have been marked as lost meanwhile.
  await unmarkLost(context.deps, context.call.workspaceId, seqOf(found.eventId));
  return asFirstAnswer(context, finished);
};

/** Handles the first request with this key. If it is refused, the key is free again. */
const createFirst = async (context: Context, key: string): Promise<IngestAnswer> => {
  const { deps, request, call } = context;
  const ws = call.workspaceId;
  const noteAnswer = async (eventId: string, deduplicated: boolean): Promise<void> => {
    if (await noteIdempotentEvent(deps, ws, key, request, { eventId, deduplicated })) return;
    throw inProgress();
  };
  try {
    const answer = await asFirstAnswer(context, await create(context, (eventId) => noteAnswer(eventId, false)));
    if (answer.kind === "duplicate") await noteAnswer(answer.eventId, true);
    return answer;
  } catch (error) {
    if (error instanceof Refusal) await releaseIdempotencyKey(deps, ws, key, request);
    throw error;
  }
};

/** Creates the event under an Idempotency-Key: a retry of the HTTP request gets the first answer. */
const createOnce = async (context: Context, { key, body }: { key: string; body: string }): Promise<IngestAnswer> => {
  const { deps, request, call } = context;
  const control = await proveKey(context);
  const found = await claimIdempotencyKey(deps, call.workspaceId, key, body, request);
  switch (found.kind) {
    case "other_body":
      throw new Refusal("idempotency_key_reused", "This Idempotency-Key was used with another body; take a new key.", {
        faults: [
          {
            field: "Idempotency-Key",
            code: "idempotency_key_reused",
            message: "This key was used with another body; take a new key.",
          },
        ],
      });
    case "in_progress":
      throw inProgress();
    case "replay":
      return replayFirst(context, found, control);
    case "first":
      return createFirst(context, key);
  }
};

/**
 * Takes events in. Answers `created` only after this request, or an earlier try of it, has stored the event behind a
 * marker, so no event answered this way can be lost. Depends on DynamoDB alone. Throws Refusal for 401, 403, 409, 422,
 * 429, 503.
 */
export const createIngest = (deps: IngestDeps) => {
  const memory: Memory = new Map();
  return async ({ apiKey, input }: IngestRequest): Promise<IngestAnswer> => {
    const { event, idempotency } = input;
    const context: Context = { deps, memory, request: deps.newId("req"), call: { ...apiKey, event } };
    return idempotency === undefined ? create(context, async () => {}) : createOnce(context, idempotency);
  };
};

/** Takes in the service's own events. They need no API key, are counted, and are exempt from the plan's limits. */
export const createOwnIngest = (deps: IngestDeps) => {
  const memory: Memory = new Map();
  return ({ workspaceId, content, once }: OwnEvent): Promise<IngestAnswer> => {
    const call: Call = { workspaceId, hash: undefined, event: content };
    return createOnce({ deps, memory, request: deps.newId("req"), call }, { key: once, body: once });
  };
};
