import { CLOUD_EVENT_TYPE, CLOUD_EVENTS_TYPE, CloudEvent, CloudEvents } from "../../core/domain/sources/cloud-event.ts";
import { EscalateInput, NoteInput, SnoozeInput, NotifyInput } from "../../core/domain/event/actions.ts";
import { EventInput } from "../../core/domain/event/event.ts";
import { AcknowledgeInput, ResolveInput } from "../../core/domain/event/lifecycle.ts";
import { type Access, tableActions } from "../access.ts";
import { after, batch, cursor, get, type Operations, order, put, query, remove, update } from "../contract.ts";
import { SourcePayload } from "../shapes.ts";

/** The permissions of the functions that accept events; the functions cannot access people, devices or rules. */
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
        description: "The number of the page, from 1. A page past the end is empty.",
        schema: { type: "integer", minimum: 1, default: 1 },
      },
      {
        name: "limit",
        description:
          "Events on a page. A number above 100 is lowered to 100, or to 500 with `order=urgency`, and the answer's `limit` says so.",
        schema: { type: "integer", minimum: 1, default: 50 },
      },
      {
        name: "site",
        description: "Only events with this `data.site`; `page` then reaches only the newest 10,000 events.",
        schema: { type: "string", format: "uri" },
      },
      {
        name: "title",
        description: "Only events with this text in their title, ignoring case.",
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
        description: "Only events with a key that matches this pattern, which is written as in a rule.",
        schema: { type: "string" },
      },
      { name: "priority", description: "Only events of this priority.", schema: { type: "string" } },
      {
        name: "from",
        description: "Only events received at this time or later.",
        schema: { type: "string", format: "date-time" },
      },
      {
        name: "to",
        description: "Only events received at this time or earlier.",
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
          "One page without probes, the newest event first. A header `Link` (rel=next) says that there may be more. With `order=urgency`, `urgencies` counts all events found, each event has its `rules`, and the first 20 events have a `card`.",
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
    description:
      "All notifications, in order. The event's own `notifications` lists only as many as fit into one answer.",
    query: [after],
    answers: {
      200: { shape: ["Notification"], description: "One page, with a header `Link` (rel=next) if there are more." },
    },
    access: { table: [get, query, batch] },
  },
  explainEvent: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/events/{eventId}/explain",
    role: "viewer",
    summary: "Explain why a user was notified of an event",
    description:
      "Why a user was or was not notified of an event, rule by rule, the most informative first. `basis` says whether the explanation comes from records or from today's configuration.",
    query: [
      {
        name: "userId",
        description: "The user for whom the event is explained.",
        schema: { type: "string" },
        required: true,
      },
    ],
    answers: { 200: { shape: "EventExplanation", description: "One explanation for each rule." } },
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
      "Acknowledges the caller's own notifications, and each event as a whole. Resolved events, and events that nobody has to acknowledge, do not change. The escalations of all rules of an event end.",
    body: AcknowledgeInput,
    answers: { 200: { shape: ["EventLife"], description: "The changed events, in the order of the request." } },
    access: { table: tableActions, sendsTo: ["pushes", "webhooks"] },
  },
  resolveEvent: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/events/{eventId}/resolve",
    role: "responder",
    summary: "Resolve an event",
    description:
      "Resolving is final; a repeated request does not change the time. The event no longer escalates. Unsent notifications of an event that required an acknowledgement are not sent. A machine can resolve events sent with its own API keys, and events that a person has acknowledged.",
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
      "Acknowledges the event for the caller until a chosen time, whatever the policies say: `minutes` from now, or `until`. After that time the event is open again, and its escalations continue with their next steps.",
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
      "The next step of each of the event's escalations fires now; later steps keep their delays. If the event is acknowledged, the people of that step are notified, and the event stays acknowledged.",
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
      "Each person gets a notification with the note and the name of the person who added them. Each request notifies them again, at most 100 times per event.",
    body: NotifyInput,
    answers: { 200: { shape: "EventLife", description: "The changed state of the event." } },
    refuses: ["event_over", "nothing_to_do", "limit_reached"],
    access: { table: tableActions, sendsTo: ["escalations"] },
  },
  noteEvent: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/events/{eventId}/notes",
    role: "responder",
    summary: "Add a note to an event",
    description:
      "The note is added to the event's timeline, also after the event has ended. Nobody is notified. An event has at most 100 notes.",
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
      "Accepts an event. Rules are matched and people notified after the answer, so `matchedRules` and `notificationsQueued` are always 0. " +
      "`link` replaces a missing `url`; other unknown fields are not stored, and `warnings` names them. " +
      "CloudEvents are accepted too, in structured or binary mode; a batch of CloudEvents is answered with EventsTaken.",
    body: EventInput,
    otherBodies: [
      [CLOUD_EVENT_TYPE, CloudEvent],
      [CLOUD_EVENTS_TYPE, CloudEvents],
    ],
    answers: {
      201: {
        shape: "EventAccepted",
        description: "The event is stored. Its rules are matched next, and their recipients notified.",
      },
      200: {
        shape: "EventDeduplicated",
        description: "An event with this dedupeKey was received within the last 10 minutes.",
      },
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
      "Creates an event for each alert of a tool's message. The API key's source or mapping says how to read messages, whatever their Content-Type. The key may also be sent as Bearer, GenieKey, Basic password, PagerDuty's routing_key or, if it has a `source`, at the end of the path. Tools that retry only on server errors get 503 instead of 429. " +
      "`/v2/incumbent` of opsgenie, pagerduty and grafana accepts webhooks of the service that a team moves from. Such messages create no event. During a shadow, they are " +
      "stored with the event of the same alert, to compare both services.",
    body: SourcePayload,
    answers: {
      201: { shape: "EventsTaken", description: "At least one event is new." },
      200: { shape: "EventsTaken", description: "The message contains no new event." },
      202: {
        shape: "EventsTaken",
        description: "The message was accepted. Only for opsgenie and pagerduty, whose tools expect 202.",
      },
    },
    refuses: ["unauthenticated", "key_scope", "quota_exceeded", "rate_limited", "busy", "not_found"],
    // Includes access to heartbeats, because Opsgenie clients call heartbeats by name.
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
    // Other requests of Opsgenie clients: ending alerts, calling heartbeats, and requests that are refused with a reason.
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
    answers: { 200: { shape: "Ping", description: "The key is valid." } },
    access: { table: [get], keys: ["workspace"] },
  },
} as const satisfies Operations;
