import { CLOUD_EVENT_TYPE, CLOUD_EVENTS_TYPE, CloudEvent, CloudEvents } from "../../core/domain/sources/cloud-event.ts";
import { EscalateInput, NoteInput, SnoozeInput, NotifyInput } from "../../core/domain/event/actions.ts";
import { EventInput } from "../../core/domain/event/event.ts";
import { AcknowledgeInput, ResolveInput } from "../../core/domain/event/lifecycle.ts";
import { type Access, tableActions } from "../access.ts";
import { after, batch, cursor, get, type Operations, order, put, query, remove, update } from "../contract.ts";
import { SourcePayload } from "../shapes.ts";

/** The permissions for ingesting an event: no access to people, devices or rules. */
const intake = {
  table: [get, query, put, update, remove],
  keys: ["workspace", "apiKeys", "claims", "events", "lostNumbers", "markers"],
  sendsTo: ["events"],
} as const satisfies Access;

export const reads = {
  listEvents: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/events",
    role: "viewer",
    summary: "List events",
    query: [
      {
        name: "page",
        description: "Which page, from 1 on. A page past the end is empty.",
        schema: { type: "integer", minimum: 1, default: 1 },
      },
      {
        name: "limit",
        description:
          "Events on a page. More than 100 is lowered to 100, or to 500 with `order=urgency`, and the answer's `limit` says so.",
        schema: { type: "integer", minimum: 1, default: 50 },
      },
      {
        name: "site",
        description: "Only the events that are registered to this site, at most 10,000 back.",
        schema: { type: "string", format: "uri" },
      },
      {
        name: "title",
        description: "Only events whose title has this text in it, whatever its case.",
        schema: { type: "string", maxLength: 100 },
      },
      {
        name: "state",
        description: "Only events in this state.",
        schema: { type: "string", enum: ["none", "open", "acknowledged", "resolved", "expired"] },
      },
      { name: "outcome", description: "Only events with this outcome.", schema: { type: "string" } },
      {
        name: "eventKey",
        description: "Only events that this pattern matches, as a rule's.",
        schema: { type: "string" },
      },
      { name: "priority", description: "Only events of this priority.", schema: { type: "string" } },
      {
        name: "from",
        description: "Only events received then or later.",
        schema: { type: "string", format: "date-time" },
      },
      {
        name: "to",
        description: "Only events received then or before.",
        schema: { type: "string", format: "date-time" },
      },
      {
        name: "user",
        description: "`me`, with `order=urgency`: only events that wait for the caller's acknowledgement.",
        schema: { type: "string", enum: ["me"] },
      },
      order,
      cursor,
    ],
    answers: {
      200: {
        shape: "EventPage",
        description:
          "One page, the newest event first, with a header `Link` (rel=next) where there may be more. With `order=urgency`, `urgencies` counts all " +
          "that were found, each event has its `rules`, and the first 20 have a `card`.",
      },
    },
    access: { table: [get, batch, query] },
  },
  getEvent: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/events/{eventId}",
    role: "viewer",
    summary: "Get an event",
    answers: { 200: { shape: "Event", description: "The event with its notifications and their status." } },
    access: { table: [get, query, batch] },
  },
  listEventNotifications: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/events/{eventId}/notifications",
    role: "viewer",
    summary: "List the notifications of an event",
    description: "In the order of the event's own list, which holds as many of them as one answer can carry.",
    query: [after],
    answers: { 200: { shape: ["Notification"], description: "With a header `Link` (rel=next) where there are more." } },
    access: { table: [get, query, batch] },
  },
  explainEvent: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/events/{eventId}/explain",
    role: "viewer",
    summary: "Explain an event to a person",
    description:
      "Why a user was or was not notified of an event, rule by rule, the most informative first. `basis` says whether it was " +
      "read from records or from the configuration of today.",
    query: [
      { name: "userId", description: "The user who is asked about.", schema: { type: "string" }, required: true },
    ],
    answers: { 200: { shape: "EventExplanation", description: "Rule by rule." } },
    access: { table: [get, query, batch] },
  },
} as const satisfies Operations;

export const writes = {
  acknowledgeEvents: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/events/acknowledge",
    role: "viewer",
    forPeople: true,
    summary: "Acknowledge events",
    description:
      "For the caller: the caller's own notifications, and each event as a whole. Resolved events, and those that nobody has to " +
      "acknowledge, do not change. It ends the escalations of all of an event's rules.",
    body: AcknowledgeInput,
    answers: {
      200: {
        shape: ["EventLife"],
        description: "The changed events, in the order of the request.",
      },
    },
    access: { table: tableActions, sendsTo: ["pushes", "webhooks"] },
  },
  resolveEvent: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/events/{eventId}/resolve",
    role: "responder",
    summary: "Resolve an event",
    description:
      "For good; the first time holds. Nothing escalates after it, and what was not sent yet of an event that had to be " +
      "acknowledged is not sent. A machine resolves what an API key of its own making has sent, and what a person has acknowledged.",
    body: ResolveInput,
    answers: { 200: { shape: "EventLife", description: "The changed state of the event." } },
    refuses: ["people_only"],
    access: { table: tableActions, sendsTo: ["pushes", "webhooks"] },
  },
  snoozeEvent: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/events/{eventId}/snooze",
    role: "responder",
    summary: "Snooze an event",
    description:
      "Acknowledges it for the caller until an end of one's own, whatever the policies say: `minutes` from now, or `until`. " +
      "Then it is open again, and its escalations continue with their next steps.",
    body: SnoozeInput,
    answers: { 200: { shape: "EventLife", description: "The changed state of the event." } },
    refuses: ["event_over", "nothing_to_do"],
    access: { table: tableActions, sendsTo: ["pushes", "webhooks"] },
    forPeople: true,
  },
  escalateEvent: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/events/{eventId}/escalate",
    role: "responder",
    summary: "Escalate an event now",
    description:
      "The next step of each of its escalations fires now, the steps after it keep their delays. If the event is acknowledged, " +
      "the people of that step are notified, and the acknowledgement holds.",
    body: EscalateInput,
    answers: { 200: { shape: "EventLife", description: "The changed state of the event." } },
    refuses: ["event_over", "nothing_to_do", "limit_reached"],
    access: { table: tableActions, sendsTo: ["escalations"] },
  },
  tellEvent: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/events/{eventId}/tell",
    role: "responder",
    summary: "Add people to an event",
    description:
      "They get notifications that say who added them, and the note. Each request notifies them again, at most 100 times an event.",
    body: NotifyInput,
    answers: { 200: { shape: "EventLife", description: "The changed state of the event." } },
    refuses: ["event_over", "nothing_to_do", "limit_reached"],
    access: { table: tableActions, sendsTo: ["escalations"] },
  },
  noteEvent: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/events/{eventId}/notes",
    role: "responder",
    summary: "Note something on an event",
    description:
      "It is added to the event's timeline, also after its end. Nobody is notified. An event has at most 100 notes.",
    body: NoteInput,
    answers: { 201: { shape: "EventNote", description: "The note." } },
    refuses: ["limit_reached"],
    access: { table: [get, query, put] },
  },
} as const satisfies Operations;

export const postEvent = {
  postEvent: {
    method: "POST",
    path: "/v1/events",
    auth: "api-key",
    summary: "Send an event",
    description:
      "Accepts an event. Rules are matched and people notified after the answer: both counts are always 0. " +
      "`link` replaces a missing `url`; other unknown fields are not stored, and `warnings` names them. " +
      "A CloudEvent becomes an event, too, in structured or in binary mode; a batch of them is answered with EventsTaken.",
    body: EventInput,
    otherBodies: [
      [CLOUD_EVENT_TYPE, CloudEvent],
      [CLOUD_EVENTS_TYPE, CloudEvents],
    ],
    answers: {
      201: { shape: "EventAccepted", description: "The event is stored, and what its rules call for will be sent." },
      200: { shape: "EventDeduplicated", description: "An event with this dedupeKey came within the last 10 minutes." },
    },
    refuses: ["key_scope", "quota_exceeded", "rate_limited", "request_in_progress", "idempotency_key_reused", "busy"],
    access: intake,
    besides: [{ method: "POST", path: "/v1/events/{rest+}" }],
  },
} as const satisfies Operations;

export const postFromSource = {
  postFromSource: {
    method: "POST",
    path: "/v1/events/from/{source}",
    auth: "api-key",
    summary: "Send a tool's own message",
    description:
      "Takes the messages of a tool with a source as they are, whatever their Content-Type, and those of any other tool by the " +
      "mapping of its key: one event for each alert. The API key may also be sent as Bearer, GenieKey, " +
      "Basic password, PagerDuty's routing_key or, made with a `source`, as the end of the path. Tools that repeat only on server errors get 503 where others get 429. " +
      "`/v2/incumbent` of opsgenie, pagerduty and grafana takes the webhooks of a service that a team moves from: they make no event, and are " +
      "kept with the event of a shadow.",
    body: SourcePayload,
    answers: {
      201: { shape: "EventsTaken", description: "At least one event is new." },
      200: { shape: "EventsTaken", description: "Nothing in it is a new event." },
      202: { shape: "EventsTaken", description: "As opsgenie and pagerduty answer." },
    },
    refuses: ["unauthenticated", "key_scope", "quota_exceeded", "rate_limited", "busy", "not_found"],
    // Opsgenie clients call heartbeats by name.
    access: {
      table: [get, query, put, update, remove],
      keys: ["workspace", "apiKeys", "claims", "events", "lostNumbers", "markers", "heartbeats", "heartbeatChecks"],
      sendsTo: ["events"],
    },
    also: [
      { method: "POST", path: "/v1/events/from/{source}/v2/{call}", auth: "api-key" },
      { method: "POST", path: "/v1/events/from/{source}/v2/{call}/{alias}/{action}", auth: "api-key" },
      { method: "POST", path: "/v1/events/from/{source}/{key}", auth: "secret-path" },
    ],
    // Other calls of Opsgenie clients: ending an alert, calling a heartbeat, and calls that are refused with
    // a reason.
    besides: [
      { method: "POST", path: "/v1/events/from/{source}/{rest+}" },
      { method: "DELETE", path: "/v1/events/from/{source}/v2/{call}/{alias}" },
      { method: "DELETE", path: "/v1/events/from/{source}/v2/{call}/{alias}/{action}" },
      { method: "GET", path: "/v1/events/from/{source}/v2/{call}/{alias}/{action}" },
      { method: "PUT", path: "/v1/events/from/{source}/v2/{call}/{alias}/{action}" },
    ],
  },
} as const satisfies Operations;

export const ping = {
  ping: {
    method: "GET",
    path: "/v1/events/ping",
    auth: "api-key",
    summary: "Check an API key",
    description: "Says which workspace the key belongs to.",
    answers: { 200: { shape: "Ping", description: "The key is good." } },
    access: { table: [get], keys: ["workspace"] },
  },
} as const satisfies Operations;
