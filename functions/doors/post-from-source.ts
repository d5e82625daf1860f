import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import { refuseApiKey, refuseOutOfScope } from "../../core/domain/workspace/api-key.ts";
import type { Deps } from "../../core/deps.ts";
import { hmacSha256, isSameSecret } from "../../core/domain/basics/hmac.ts";
import { Refusal, refuseField } from "../../core/domain/basics/refusal.ts";
import { formatSuggestion } from "../../core/domain/basics/nearest.ts";
import type { Adapter, Draft } from "../../core/domain/sources/draft.ts";
import {
  isSource,
  MAPPED,
  signatureHeaders,
  sourceNames,
  type SourceName,
} from "../../core/domain/basics/source-name.ts";
import { findValidationCode } from "../../core/domain/sources/event-grid.ts";
import { createMappedAdapter } from "../../core/domain/sources/mapped.ts";
import { sources } from "../../core/domain/sources/index.ts";
import { incumbents, type IncumbentMessage } from "../../core/domain/sources/incumbent.ts";
import { storeIncumbentMessage } from "../../core/flow/ingest/take-incumbent.ts";
import { ingestFromSource, type TakenEvent } from "../../core/flow/ingest/ingest-from-source.ts";
import { createIngest, type IngestDeps } from "../../core/flow/ingest/ingest-event.ts";
import { fetchSnsText } from "../../core/live-sns.ts";
import { liveDeps } from "../../core/live.ts";
import { createSnsReceiver, isSnsMessage, type SnsDeps } from "../../core/sns/receive.ts";
import { readSenderOfKey, type KeyedSender } from "../../core/store/people/api-keys.ts";
import { readControlForKey } from "../../core/store/events/control.ts";
import { acceptCallByName } from "../../core/store/rules/heartbeats.ts";
import { parseSenderKey, readKeyText, type SenderKey } from "../http/auth.ts";
import { readRawBytes, readJson, readMessage, readText, readValue } from "../http/body.ts";
import type { HttpRequest } from "../http/request.ts";
import { allowSlashAtEnd } from "../http/trailing-slash.ts";
import { createPipeline, replyOk, reply } from "../http/endpoint.ts";
import type { GatewayAnswer } from "../http/answer.ts";

const readSourceName = (request: HttpRequest): SourceName => {
  const name = request.path.get("source") ?? "";
  if (isSource(name)) return name;
  const question = formatSuggestion(name, sourceNames);
  throw new Refusal("not_found", `This source does not exist. Use one of ${sourceNames.join(", ")}.${question}`);
};

/** The last segment of the path that the tool's clients call. */
const calls: Partial<Record<SourceName, string>> = { opsgenie: "alerts", pagerduty: "enqueue" };

/** Adds a `dedup_key` to a PagerDuty alert that has no key, because the client needs the key to end the alert. */
const addDedupKey = (body: object, dedupKey: string): object =>
  "event_action" in body &&
  body.event_action === "trigger" &&
  ("dedup_key" in body ? (body.dedup_key ?? "") : "") === ""
    ? { ...body, dedup_key: dedupKey }
    : body;

/** Wraps a raw SNS delivery in an envelope, because the delivery's text may not be JSON. Returns undefined for other requests. */
const wrapRawMessage = (request: HttpRequest, source: SourceName): object | undefined => {
  if (source !== "cloudwatch") return undefined;
  const text = readText(request, "any");
  const { headers } = request;
  if (headers.get("x-amz-sns-rawdelivery") !== "true" && /^\s*(?:[[{]|$)/.test(text)) return undefined;
  return {
    Message: text,
    MessageId: headers.get("x-amz-sns-message-id"),
    TopicArn: headers.get("x-amz-sns-topic-arn"),
  };
};

/**
 * Reads the body and adds the alias in the path, with which Opsgenie clients end an alert. Throws Refusal `not_found` for a
 * path that the tool lacks, and `invalid_input` for an identifier other than an alias.
 */
const readSourceBody = (request: HttpRequest, source: SourceName, acceptsList: boolean): object => {
  const { method, path, query, rawBody } = request;
  const [call, alias, action] = [path.get("call"), path.get("alias"), path.get("action")];
  if (call !== undefined && call !== calls[source])
    throw new Refusal(
      "not_found",
      `This service does not support this call of ${source}. Send events to /v1/events/from/${source}.`,
    );
  if (alias === undefined) {
    const body = wrapRawMessage(request, source) ?? readMessage(request, acceptsList);
    return source === "pagerduty" ? addDedupKey(body, request.requestId) : body;
  }
  if (source !== "opsgenie") throw new Refusal("not_found", `This service does not support this call of ${source}.`);
  if ((query.get("identifierType") ?? "alias") !== "alias") {
    const message = "identifierType must be alias: alerts are identified by the alias that they were created with.";
    throw refuseField("identifierType", "unknown_value", message);
  }
  // A request with an alias in the path needs no body.
  const body = (rawBody?.text ?? "") === "" ? {} : readJson(request, "any");
  return { ...body, alias, action: action ?? (method === "DELETE" ? "delete" : undefined) };
};

/** Reads a message in the format of another alerting service, such as Opsgenie; undefined for other requests. */
const readIncumbentMessage = (
  request: HttpRequest,
  source: SourceName,
): { message: IncumbentMessage | undefined } | undefined => {
  const reader = request.path.get("call") === "incumbent" ? incumbents[source] : undefined;
  return reader === undefined ? undefined : { message: readValue(reader, readMessage(request, false)) };
};

/** Returns the name of the heartbeat that an Opsgenie client calls; undefined for other requests. */
const readHeartbeatName = ({ path }: HttpRequest, source: SourceName): string | undefined =>
  source === "opsgenie" && path.get("call") === "heartbeats" && path.get("action") === "ping"
    ? path.get("alias")
    : undefined;

const acceptHeartbeat = async (
  deps: IngestDeps,
  ws: WorkspaceId,
  name: string,
  requestId: string,
): Promise<GatewayAnswer> => {
  if ((await acceptCallByName(deps, ws, name)) === undefined)
    throw new Refusal("not_found", "No heartbeat has this name. Create one with this name under Heartbeats.");
  return reply(202, { ok: true, events: [], result: "PONG - Heartbeat received", took: 0, requestId });
};

/** Returns the API key in the body, where PagerDuty clients send it; "" if the body has no key. */
const readKeyInBody = (source: string, request: HttpRequest): string => {
  if (source !== "pagerduty") return "";
  try {
    const body = readJson(request, "any");
    return "routing_key" in body && typeof body.routing_key === "string" ? body.routing_key : "";
  } catch {
    // Callers without a key must not learn about faults of the body.
    return "";
  }
};

/** Stores a message of the old service with the event of the same alert. Answers 200, with the event if there is one. */
const answerIncumbentMessage = async (deps: IngestDeps, ws: WorkspaceId, message: IncumbentMessage | undefined) => {
  const event = message === undefined ? undefined : await storeIncumbentMessage(deps, ws, message);
  const events = event === undefined ? [] : [event];
  return replyOk({
    ok: true,
    events: events.map(({ eventId, content: { eventKey } }) => ({
      eventId,
      eventKey,
      deduplicated: true,
      warnings: [],
    })),
  });
};

/** Returns the fields that the tool's clients expect in an answer. */
const createSourceAnswerFields = (source: SourceName, requestId: string, body: object): object => {
  if (source === "opsgenie") return { result: "Request will be processed", took: 0, requestId };
  if (source !== "pagerduty") return {};
  const key = "dedup_key" in body ? body.dedup_key : undefined;
  return { status: "success", message: "Event processed", ...(typeof key === "string" ? { dedup_key: key } : {}) };
};

const replyToSource = (
  source: SourceName,
  requestId: string,
  body: object,
  events: readonly TakenEvent[],
): GatewayAnswer => {
  const isNew = events.some(({ deduplicated }) => !deduplicated);
  // Clients understand 202 as a promise that somebody is notified, so a request without an event gets another status.
  const isCall = (source === "opsgenie" || source === "pagerduty") && events.length > 0;
  return reply(isCall ? 202 : isNew ? 201 : 200, {
    ok: true,
    events,
    ...createSourceAnswerFields(source, requestId, body),
  });
};

/** Turns a 429 into a 503 for senders that give up after a 429. */
const toServerError = (source: SourceName, error: unknown): unknown =>
  error instanceof Refusal &&
  (error.kind === "rate_limited" || error.kind === "request_in_progress") &&
  (source === MAPPED || sources[source].repeatsOnServerErrorsOnly)
    ? new Refusal("busy", error.message, error.extras)
    : error;

const NO_KEY = "The header is missing; Authorization with Bearer, or Basic with the key as password, also works.";

/** Reads the API key in the path, a header or the body. A key in a path, which more people see, must be limited to a source. */
const readSenderKey = async (deps: Pick<Deps, "now">, request: HttpRequest): Promise<SenderKey> => {
  const inPath = request.path.get("key");
  const text = inPath ?? readKeyText(request) ?? readKeyInBody(request.path.get("source") ?? "", request);
  const key = await (text === "" ? parseSenderKey(deps, text, NO_KEY) : parseSenderKey(deps, text));
  if (inPath !== undefined && key.source === undefined) throw refuseApiKey();
  return key;
};

/** If the key has a signing secret, checks the signature before the body is parsed. Throws Refusal `unauthenticated`. */
const requireSignature = async (
  request: HttpRequest,
  source: SourceName,
  secret: KeyedSender["signingSecret"],
): Promise<void> => {
  const header = signatureHeaders[source];
  if (header === undefined || secret === undefined) return;
  const sent = request.headers.get(header.toLowerCase())?.trim().toLowerCase() ?? "";
  const right = (await hmacSha256(secret, readRawBytes(request))).toString("hex");
  if (isSameSecret(right, sent)) return;
  const wrong = sent === "" ? "but it is missing" : "but it is not";
  throw new Refusal(
    "unauthenticated",
    `${header} must be the HMAC-SHA256 of the body in hex, with this API key's signing secret, ${wrong}.`,
  );
};

/** `lists`: whether the tool's message may be a JSON list. */
type SourceReader = { adapter: Adapter; resource: string; lists: boolean };

/** Returns the source's adapter; for a mapped source, the API key's mapping is the adapter. */
const chooseAdapter = (source: SourceName, sender: KeyedSender | undefined): SourceReader => {
  if (source !== MAPPED)
    return { adapter: sources[source].adapter, resource: source, lists: source === "azure-monitor" };
  const mapping = sender?.scope.mapping;
  if (mapping === undefined)
    throw new Refusal("key_scope", "This API key has no mapping. Create a key with the source mapped for this tool.");
  return { adapter: createMappedAdapter(mapping), resource: mapping.resource, lists: mapping.each === true };
};

/** Creates the handler of `POST /v1/events/from/:source` and below, which turns a tool's payload into an event per alert. */
export const createPostFromSource = (deps: IngestDeps & SnsDeps) => {
  const ingest = createIngest(deps);
  const receiveSns = createSnsReceiver(deps);
  return createPipeline(deps)
    .use(allowSlashAtEnd("", "{key}", "v2/{call}", "v2/{call}/{alias}/{action}"))
    .handler(async (request) => {
      const apiKey = await readSenderKey(deps, request);
      if ((await readControlForKey(deps, apiKey.workspaceId, apiKey.hash)) === undefined) throw refuseApiKey();
      const source = readSourceName(request);
      if (apiKey.source !== undefined && apiKey.source !== source) throw refuseOutOfScope(apiKey.source);
      const isKeysOwn = source === MAPPED || signatureHeaders[source] !== undefined;
      const sender = isKeysOwn ? await readSenderOfKey(deps, apiKey.workspaceId, apiKey.hash) : undefined;
      // If the key was deleted meanwhile, it is unknown whether a signature is required.
      if (isKeysOwn && sender === undefined) throw refuseApiKey();
      await requireSignature(request, source, sender?.signingSecret);
      const heartbeat = readHeartbeatName(request, source);
      if (heartbeat !== undefined) return acceptHeartbeat(deps, apiKey.workspaceId, heartbeat, request.requestId);
      const incumbent = readIncumbentMessage(request, source);
      if (incumbent !== undefined) return answerIncumbentMessage(deps, apiKey.workspaceId, incumbent.message);
      const { adapter, resource, lists } = chooseAdapter(source, sender);
      const body = readSourceBody(request, source, lists);
      const isSns = source === "cloudwatch" && isSnsMessage(body);
      if (isSns && !(await receiveSns(apiKey.workspaceId, body))) return replyOk({ ok: true, events: [] });
      // Event Grid sends events only after the validation code was returned.
      const code = source === "azure-monitor" ? findValidationCode(body) : undefined;
      if (code !== undefined) return replyOk({ ok: true, events: [], validationResponse: code });
      const drafts: Draft[] = readValue(adapter, body);
      try {
        const events = await ingestFromSource(deps, ingest, apiKey, resource, drafts);
        return replyToSource(source, request.requestId, body, events);
      } catch (error) {
        throw toServerError(source, error);
      }
    });
};

export const handler = createPostFromSource({ ...liveDeps("events"), fetchText: fetchSnsText });
