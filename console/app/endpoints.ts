import type { AnswerName, InputName } from "./types.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
/** A name in brackets is an array of it; undefined: the answer is empty. */
export type Shape = AnswerName | readonly [AnswerName] | undefined;

const asks = <const Answer extends Shape>(method: Method, path: string, answer: Answer) => ({
  method,
  path,
  answer,
  body: undefined,
});
const sends = <const Answer extends Shape, const Body extends InputName>(
  method: Method,
  path: string,
  answer: Answer,
  body: Body,
) => ({ method, path, answer, body });

const WS = "/v1/workspaces/{workspaceId}";

/** What the console asks of the API, by the function that answers. A test compares them with the document's source. */
export const endpoints = {
  "workspaces/list-workspaces": asks("GET", "/v1/workspaces", ["Workspace"]),
  "workspaces/create-workspace": sends("POST", "/v1/workspaces", "Workspace", "WorkspaceInput"),
  "api-keys/list-api-keys": asks("GET", `${WS}/api-keys`, ["ApiKey"]),
  "api-keys/create-api-key": sends("POST", `${WS}/api-keys`, "ApiKeyWithText", "ApiKeyInput"),
  "api-keys/delete-api-key": asks("DELETE", `${WS}/api-keys/{id}`, undefined),
  "events/list-events": asks("GET", `${WS}/events`, "EventPage"),
  "events/get-event": asks("GET", `${WS}/events/{eventId}`, "Event"),
  "events/explain-event": asks("GET", `${WS}/events/{eventId}/explain`, "EventExplanation"),
  "notifications/list-notifications": asks("GET", `${WS}/notifications`, ["Notification"]),
  "notifications/update-notification": sends(
    "PATCH",
    `${WS}/notifications/{notificationId}`,
    "Notification",
    "NotificationReport",
  ),
  "sites/list-sites": asks("GET", `${WS}/sites`, ["Site"]),
  "members/list-members": asks("GET", `${WS}/members`, ["Member"]),
} as const;
export type EndpointName = keyof typeof endpoints;
