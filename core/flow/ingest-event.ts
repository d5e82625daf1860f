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

/** What a call of `POST /v1/events` asks for. `body`: the text that was sent, which a retry must repeat. */
export type IngestInput = { event: EventInput; idempotency: { key: string; body: string } | undefined };

/** The key is yet to be proven: the admission does it. */
export type IngestRequest = { apiKey: { workspaceId: string; hash: Uint8Array }; input: IngestInput };

/** An event that the service makes of itself. `once` names it: asked for again, it is the same event. */
export type OwnEvent = { workspaceId: string; content: EventContent; once: string };

/** `hash` of the API key that has to be good; undefined for an event of the service's own, which none has to allow. */
type Call = { workspaceId: string; hash: Uint8Array | undefined; event: EventContent };

export type IngestAnswer =
  | { kind: "created"; eventId: string; receivedAt: number; content: EventContent; rate: Rate; replayed: boolean }
  | { kind: "duplicate"; eventId: string; replayed: boolean };

/** SQS is told at once where it can be; where it cannot, the sweeper tells it. Ingest does not wait for it longer. */
const ENQUEUE_TIMEOUT_MS = 800;
const REMEMBERED_WORKSPACES = 10_000;

/** What an instance remembers of a workspace: a guess for the next admission, and keys that once were good. */
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

/** Proves the key, where one is needed, by a consistent read. */
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

/** The last known control, where this key was seen to be good before: the admission proves it again. */
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

/** Marker, event, queue, in this order: what points to work is there before the work. */
const store = async ({ deps, request, call }: Context, eventId: string, control: Control): Promise<IngestAnswer> => {
  const now = deps.now();
  const ws = call.workspaceId;
  const due = now + EVENT_MARKER_DUE_SECONDS * 1000;
  const { resolves } = call.event;
  // Who has the key is known as long as it is not freed: an event that nobody has matched yet is listed nowhere else.
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
  // What is over may come again at once, and is then no duplicate.
  if (resolves !== undefined && ends !== undefined) await freeDedupeKey(deps, ws, resolves, ends);
  const message: EventMessage = { kind: "accepted", event, due };
  try {
    await sendMessage(deps.queues.events, message, { timeoutMs: ENQUEUE_TIMEOUT_MS });
  } catch (error) {
    // The marker is there: the sweeper enqueues what SQS would not take.
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

/** Told of the id before an event is stored under it. */
type NoteEvent = (eventId: string) => Promise<void>;

/** Answers for an event that holds the dedupeKey; one that never came is made now, under the id that was claimed. */
const join = async (context: Context, eventId: string, noteEvent: NoteEvent): Promise<IngestAnswer> => {
  const control = await proveKey(context);
  const existing = await readEvent(context.deps, context.call.workspaceId, eventId);
  if (existing !== undefined) return { kind: "duplicate", eventId, replayed: false };
  await noteEvent(eventId);
  return store(context, eventId, control);
};

/** A number and an id, and the control that gave them. */
type Admitted = { eventId: string; control: Control };

/** Gives back what was taken for an event that another request made. */
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
 * The event that holds the dedupeKey, if there is a key and an event. A stale look is enough where a claim follows: what
 * it misses is met by the claim's condition.
 */
const look = async ({ deps, call }: Context, consistent: boolean): Promise<string | undefined> => {
  const { dedupeKey } = call.event;
  return dedupeKey === undefined ? undefined : readDedupeClaim(deps, call.workspaceId, dedupeKey, { consistent });
};

/** Claims the dedupeKey for an event that was admitted; gives the earlier event where there is one. */
const claim = async (context: Context, admitted: Admitted): Promise<string | undefined> => {
  const { deps, call } = context;
  const { dedupeKey } = call.event;
  if (dedupeKey === undefined) return undefined;
  const holder = await claimDedupeKey(deps, call.workspaceId, dedupeKey, admitted.eventId);
  if (holder === admitted.eventId) return undefined;
  await giveBack(context, admitted);
  return holder;
};

/** Tells of the id. Where another request has taken over, the admission is given back: with a dedupeKey it is used. */
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
    // A duplicate costs neither quota nor rate, also when it meets its original only now.
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

/** Without a dedupeKey only another try of this very request can have stored the event before: its answer is ours. */
const asFirstAnswer = async (context: Context, answer: IngestAnswer): Promise<IngestAnswer> =>
  answer.kind === "duplicate" && context.call.event.dedupeKey === undefined
    ? ((await replayed(context, answer.eventId)) ?? answer)
    : answer;

const inProgress = () =>
  new Refusal("request_in_progress", "The first request with this Idempotency-Key is still in progress; try again.", {
    retryAfterSeconds: 1,
  });

type Found = Awaited<ReturnType<typeof claimIdempotencyKey>>;

/** A retry: the answer of the first request, whose work is finished where it is not. */
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
  // Hours may have passed: meanwhile the number may have been written down as lost.
  await unmarkLost(context.deps, context.call.workspaceId, seqOf(found.eventId));
  return asFirstAnswer(context, finished);
};

/** The first request under this key, which is free again where the request is refused. */
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

/** The same under an Idempotency-Key: a retry of the HTTP request gets the first answer. */
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
 * Takes events in. Every call answers `created` only when its own write stored the event, with a marker before it, so
 * that nothing answered so can be lost; DynamoDB is all it depends on. Throws Refusal for 401, 403, 409, 422, 429, 503.
 */
export const createIngest = (deps: IngestDeps) => {
  const memory: Memory = new Map();
  return async ({ apiKey, input }: IngestRequest): Promise<IngestAnswer> => {
    const { event, idempotency } = input;
    const context: Context = { deps, memory, request: deps.newId("req"), call: { ...apiKey, event } };
    return idempotency === undefined ? create(context, async () => {}) : createOnce(context, idempotency);
  };
};

/** The same for events of the service's own. They need no key, are counted, and pass the plan's limits. */
export const createOwnIngest = (deps: IngestDeps) => {
  const memory: Memory = new Map();
  return ({ workspaceId, content, once }: OwnEvent): Promise<IngestAnswer> => {
    const call: Call = { workspaceId, hash: undefined, event: content };
    return createOnce({ deps, memory, request: deps.newId("req"), call }, { key: once, body: once });
  };
};
