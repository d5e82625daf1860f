import { EventInput, listEventWarnings, addFieldSuggestion } from "../../core/domain/event/event.ts";
import { refuseApiKey, refuseOutOfScope } from "../../core/domain/workspace/api-key.ts";
import { IDEMPOTENCY_KEY_MAX_CODE_POINTS } from "../../core/domain/basics/limits.ts";
import { invalidInput, type EventWarning } from "../../core/domain/basics/refusal.ts";
import { textSchema } from "../../core/domain/basics/text.ts";
import { toIso } from "../../core/domain/basics/time.ts";
import { ingestBatch } from "../../core/flow/ingest/ingest-from-source.ts";
import { createIngest, type IngestDeps, type IngestInput } from "../../core/flow/ingest/ingest-event.ts";
import { liveDeps } from "../../core/live.ts";
import { readControlForKey } from "../../core/store/events/control.ts";
import { readApiKey, readInputWithValidKey } from "../http/auth.ts";
import { JSON_TYPE, readJson } from "../http/body.ts";
import { parseInput } from "../../core/domain/basics/faults.ts";
import { readCloudEvents, type CloudEventsRequest } from "../http/cloud-events.ts";
import { createPipeline, reply } from "../http/endpoint.ts";
import { createRateHeaders } from "../http/problem.ts";
import type { HttpRequest } from "../http/request.ts";
import { allowSlashAtEnd } from "../http/trailing-slash.ts";

const IDEMPOTENCY_KEY = "Idempotency-Key";
const IdempotencyKey = textSchema(IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_MAX_CODE_POINTS);

/** Returns the idempotency key and the body as text; undefined without the key's header. Throws if the key is invalid. */
const readIdempotencyKey = (request: HttpRequest): IngestInput["idempotency"] => {
  const header = request.headers.get(IDEMPOTENCY_KEY.toLowerCase());
  if (header === undefined) return undefined;
  const { value, faults } = parseInput(IdempotencyKey, header);
  if (value === undefined) throw invalidInput(faults.map((fault) => ({ ...fault, field: IDEMPOTENCY_KEY })));
  return { key: value, body: request.rawBody?.text ?? "" };
};

type RequestContent =
  | { mode: "single"; input: IngestInput; warnings: EventWarning[] }
  | Extract<CloudEventsRequest, { mode: "batch" }>;

const createIdempotentBatchRefusal = () =>
  invalidInput([
    {
      field: IDEMPOTENCY_KEY,
      code: "not_allowed",
      message: `A batch cannot have an ${IDEMPOTENCY_KEY}: its events are identified by source and id.`,
    },
  ]);

const readRequestContent = (request: HttpRequest): RequestContent => {
  const sent = readCloudEvents(request);
  if (sent?.mode === "batch") {
    if (readIdempotencyKey(request) !== undefined) throw createIdempotentBatchRefusal();
    return sent;
  }
  if (sent !== undefined) {
    const { event, warnings } = sent.taken;
    return { mode: "single", input: { event, idempotency: readIdempotencyKey(request) }, warnings };
  }
  const json = readJson(request, [JSON_TYPE]);
  const warnings = listEventWarnings(json);
  const { value: event, faults } = parseInput(EventInput, json);
  if (event === undefined) throw invalidInput(faults.map((fault) => addFieldSuggestion(fault, json)));
  return { mode: "single", input: { event, idempotency: readIdempotencyKey(request) }, warnings };
};

const higherPriority: EventWarning = {
  field: "priority",
  code: "higher_priority",
  message:
    "priority is higher than that of the open event with this dedupeKey: the priority of that event was raised, and the people whom the rules name for this priority are notified.",
};

/** Creates the handler of `POST /v1/events`, which accepts an event. Matching and sending follow after the answer. */
export const createPostEvent = (deps: IngestDeps) => {
  const ingest = createIngest(deps);
  return createPipeline(deps)
    .use(allowSlashAtEnd(""))
    .handler(async (request) => {
      const apiKey = await readApiKey(deps, request);
      // Only callers with a valid key learn the faults of a body. If the body is valid, the admission verifies the key later.
      const sent = await readInputWithValidKey(deps, apiKey, () => {
        if (apiKey.source !== undefined) throw refuseOutOfScope(apiKey.source);
        return readRequestContent(request);
      });
      if (sent.mode === "batch") {
        // An empty batch has no admission that would verify the key.
        if ((await readControlForKey(deps, apiKey.workspaceId, apiKey.hash)) === undefined) throw refuseApiKey();
        const events = await ingestBatch(deps, ingest, apiKey, sent.taken);
        return reply(events.some(({ deduplicated }) => !deduplicated) ? 201 : 200, { ok: true, events });
      }
      const { input, warnings } = sent;
      const answer = await ingest({ apiKey, input });
      const worse = answer.kind === "duplicate" && answer.isWorse === true ? [higherPriority] : [];
      const warned = warnings.length + worse.length === 0 ? {} : { warnings: [...warnings, ...worse] };
      const replayed: Record<string, string> = answer.replayed ? { "Idempotency-Replayed": "true" } : {};
      if (answer.kind === "duplicate")
        return reply(200, { ok: true, eventId: answer.eventId, deduplicated: true, ...warned }, replayed);
      const { eventId, content, receivedAt, rate } = answer;
      const body = {
        ok: true,
        eventId,
        eventType: content.eventKey,
        matchedRules: 0,
        notificationsQueued: 0,
        id: eventId,
        eventKey: content.eventKey,
        title: content.title,
        createdAt: toIso(receivedAt),
        ...warned,
      };
      return reply(201, body, { ...createRateHeaders(rate), ...replayed });
    });
};

export const handler = createPostEvent(liveDeps("events"));
