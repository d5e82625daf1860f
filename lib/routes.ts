import type { Access } from "./access.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * `api-key`: the function itself checks X-Api-Key. `session`: the API's JWT authorizer lets nobody else through.
 * `secret-path`: the path holds a secret that the function checks. `receipt`: the body holds a proof that it checks.
 */
export type Auth = "api-key" | "session" | "secret-path" | "receipt";

export type Route = {
  method: Method;
  /** In API Gateway's notation, with `{name}` for a parameter. */
  path: string;
  /** The function's file below `functions/`, without its extension; its last part is the function's name. */
  entry: string;
  auth: Auth;
  access: Access;
};

const WORKSPACE = "/v1/workspaces/{workspaceId}";

const session = (method: Method, path: string, entry: string, ...table: Access["table"]): Route => ({
  method,
  path,
  entry,
  auth: "session",
  access: { table },
});

const fromSource = (path: string): Route => ({
  method: "POST",
  path,
  entry: "events/post-from-source",
  auth: "api-key",
  access: { table: ["GetItem", "PutItem", "UpdateItem", "DeleteItem"], sendsTo: ["events"] },
});

const heartbeatCall = (method: Method): Route => ({
  method,
  path: "/v1/heartbeats/{heartbeat}",
  entry: "heartbeats/take-call",
  auth: "secret-path",
  access: { table: ["PutItem", "UpdateItem"] },
});

/** Answers requests that match no route. `path`: where the console's route would take a GET. */
export const fallback: Pick<Route, "entry" | "access" | "path"> = {
  path: "/v1/{path+}",
  entry: "fallback/unknown-route",
  access: { table: [] },
};

/** Every route of the service: the only place where a path is written. */
export const routes: readonly Route[] = [
  {
    method: "POST",
    path: "/v1/events",
    entry: "events/post-event",
    auth: "api-key",
    access: { table: ["GetItem", "PutItem", "UpdateItem", "DeleteItem"], sendsTo: ["events"] },
  },
  fromSource("/v1/events/from/{source}"),
  // Where Opsgenie and PagerDuty clients call when they are given another host.
  fromSource("/v1/events/from/{source}/v2/{call}"),
  fromSource("/v1/events/from/{source}/v2/{call}/{alias}/{action}"),
  {
    method: "GET",
    path: "/v1/events/ping",
    entry: "events/ping",
    auth: "api-key",
    access: { table: ["GetItem"] },
  },

  {
    method: "POST",
    path: "/v1/workspaces",
    entry: "workspaces/create-workspace",
    auth: "session",
    access: { table: ["PutItem", "UpdateItem"], givesPlan: true },
  },
  session("GET", "/v1/workspaces", "workspaces/list-workspaces", "Query", "BatchGetItem"),
  session("GET", WORKSPACE, "workspaces/get-workspace", "GetItem"),
  session("PATCH", WORKSPACE, "workspaces/update-workspace", "GetItem", "UpdateItem"),

  {
    method: "GET",
    path: "/v1/calendars/{calendar}",
    entry: "calendars/read-calendar",
    auth: "secret-path",
    access: { table: ["GetItem", "Query"] },
  },

  session("GET", `${WORKSPACE}/members`, "members/list-members", "GetItem", "Query"),
  session("POST", `${WORKSPACE}/members`, "members/add-member", "GetItem", "PutItem", "UpdateItem", "DeleteItem"),
  session(
    "DELETE",
    `${WORKSPACE}/members/{userId}`,
    "members/remove-member",
    "GetItem",
    "Query",
    "PutItem",
    "UpdateItem",
    "DeleteItem",
  ),

  session(
    "POST",
    `${WORKSPACE}/api-keys`,
    "api-keys/create-api-key",
    "GetItem",
    "Query",
    "PutItem",
    "UpdateItem",
    "DeleteItem",
  ),
  session("GET", `${WORKSPACE}/api-keys`, "api-keys/list-api-keys", "GetItem", "Query"),
  session("GET", `${WORKSPACE}/api-keys/{id}`, "api-keys/get-api-key", "GetItem"),
  session("DELETE", `${WORKSPACE}/api-keys/{id}`, "api-keys/delete-api-key", "GetItem", "UpdateItem", "DeleteItem"),

  session(
    "POST",
    `${WORKSPACE}/routing-rules`,
    "routing-rules/create-routing-rule",
    "GetItem",
    "BatchGetItem",
    "Query",
    "PutItem",
    "UpdateItem",
  ),
  session("GET", `${WORKSPACE}/routing-rules`, "routing-rules/list-routing-rules", "GetItem", "Query"),
  session("GET", `${WORKSPACE}/routing-rules/{ruleId}`, "routing-rules/get-routing-rule", "GetItem"),
  session(
    "PATCH",
    `${WORKSPACE}/routing-rules/{ruleId}`,
    "routing-rules/update-routing-rule",
    "GetItem",
    "BatchGetItem",
    "Query",
    "PutItem",
    "UpdateItem",
  ),
  session(
    "DELETE",
    `${WORKSPACE}/routing-rules/{ruleId}`,
    "routing-rules/delete-routing-rule",
    "GetItem",
    "PutItem",
    "UpdateItem",
    "DeleteItem",
  ),
  session(
    "POST",
    `${WORKSPACE}/routing-rules/test`,
    "routing-rules/test-routing-rules",
    "GetItem",
    "BatchGetItem",
    "Query",
  ),

  session("POST", `${WORKSPACE}/simulate`, "simulate/simulate-event", "GetItem", "BatchGetItem", "Query"),
  session("POST", `${WORKSPACE}/simulate/history`, "simulate/simulate-history", "GetItem", "BatchGetItem", "Query"),

  session("POST", `${WORKSPACE}/groups`, "groups/create-group", "GetItem", "Query", "PutItem", "UpdateItem"),
  session("GET", `${WORKSPACE}/groups`, "groups/list-groups", "GetItem", "Query"),
  session("GET", `${WORKSPACE}/groups/{groupId}`, "groups/get-group", "GetItem"),
  session("PATCH", `${WORKSPACE}/groups/{groupId}`, "groups/update-group", "GetItem", "UpdateItem"),
  session(
    "DELETE",
    `${WORKSPACE}/groups/{groupId}`,
    "groups/delete-group",
    "GetItem",
    "Query",
    "UpdateItem",
    "DeleteItem",
  ),
  session(
    "GET",
    `${WORKSPACE}/groups/{groupId}/members`,
    "groups/list-group-members",
    "GetItem",
    "BatchGetItem",
    "Query",
  ),
  session(
    "POST",
    `${WORKSPACE}/groups/{groupId}/members`,
    "groups/add-group-member",
    "GetItem",
    "Query",
    "PutItem",
    "UpdateItem",
  ),
  session(
    "DELETE",
    `${WORKSPACE}/groups/{groupId}/members/{userId}`,
    "groups/remove-group-member",
    "GetItem",
    "Query",
    "PutItem",
    "UpdateItem",
    "DeleteItem",
  ),

  session("GET", `${WORKSPACE}/events`, "events/list-events", "GetItem", "BatchGetItem", "Query"),
  {
    method: "POST",
    path: `${WORKSPACE}/events/acknowledge`,
    entry: "events/acknowledge-events",
    auth: "session",
    access: { table: ["GetItem", "BatchGetItem", "Query", "UpdateItem", "DeleteItem"], sendsTo: ["pushes"] },
  },
  {
    method: "POST",
    path: `${WORKSPACE}/events/{eventId}/resolve`,
    entry: "events/resolve-event",
    auth: "session",
    access: { table: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"], sendsTo: ["pushes"] },
  },
  session("GET", `${WORKSPACE}/events/{eventId}`, "events/get-event", "GetItem", "Query", "BatchGetItem"),
  session(
    "GET",
    `${WORKSPACE}/events/{eventId}/notifications`,
    "events/list-event-notifications",
    "GetItem",
    "Query",
    "BatchGetItem",
  ),
  session("GET", `${WORKSPACE}/events/{eventId}/explain`, "events/explain-event", "GetItem", "Query", "BatchGetItem"),

  session("GET", `${WORKSPACE}/notifications`, "notifications/list-notifications", "GetItem", "BatchGetItem", "Query"),
  session("GET", `${WORKSPACE}/notifications/{notificationId}`, "notifications/get-notification", "GetItem"),
  {
    method: "PATCH",
    path: `${WORKSPACE}/notifications/{notificationId}`,
    entry: "notifications/update-notification",
    auth: "session",
    access: { table: ["GetItem", "Query", "UpdateItem", "DeleteItem"], sendsTo: ["pushes"] },
  },

  session("POST", `${WORKSPACE}/devices`, "devices/register-device", "GetItem", "PutItem", "UpdateItem"),
  session("GET", `${WORKSPACE}/devices`, "devices/list-devices", "GetItem"),
  session("DELETE", `${WORKSPACE}/devices/{deviceId}`, "devices/delete-device", "GetItem", "UpdateItem"),

  {
    method: "POST",
    path: `${WORKSPACE}/devices/{deviceId}/test`,
    entry: "devices/test-device",
    auth: "session",
    access: {
      table: ["GetItem", "UpdateItem"],
      readsSecrets: ["fcm", "vapid", "receipts"],
      knowsBaseUrl: true,
    },
  },
  {
    method: "POST",
    path: "/v1/receipts",
    entry: "receipts/take-receipt",
    auth: "receipt",
    access: {
      table: ["GetItem", "Query", "UpdateItem", "DeleteItem"],
      sendsTo: ["pushes"],
      readsSecrets: ["receipts"],
    },
  },

  {
    method: "GET",
    path: "/v1/web-push/key",
    entry: "devices/get-web-push-key",
    auth: "session",
    access: { table: [], readsSecrets: ["vapid"] },
  },

  session("GET", `${WORKSPACE}/groups/{groupId}/on-call`, "on-call/get-on-call", "GetItem", "Query"),
  session(
    "PUT",
    `${WORKSPACE}/groups/{groupId}/on-call`,
    "on-call/put-on-call",
    "GetItem",
    "BatchGetItem",
    "Query",
    "PutItem",
    "UpdateItem",
  ),
  session("GET", `${WORKSPACE}/groups/{groupId}/on-call/now`, "on-call/get-on-call-now", "GetItem", "Query"),
  session(
    "POST",
    `${WORKSPACE}/groups/{groupId}/on-call/overrides`,
    "on-call/create-override",
    "GetItem",
    "BatchGetItem",
    "Query",
    "PutItem",
    "UpdateItem",
  ),
  session("GET", `${WORKSPACE}/on-call/now`, "on-call/list-on-call-now", "GetItem", "Query"),
  session("GET", `${WORKSPACE}/on-call/mine`, "on-call/list-my-shifts", "GetItem", "Query"),
  session(
    "POST",
    `${WORKSPACE}/on-call/mine/calendar`,
    "calendars/renew-my-calendar",
    "GetItem",
    "PutItem",
    "DeleteItem",
  ),
  session("DELETE", `${WORKSPACE}/on-call/mine/calendar`, "calendars/delete-my-calendar", "GetItem", "DeleteItem"),
  session(
    "POST",
    `${WORKSPACE}/groups/{groupId}/on-call/calendar`,
    "calendars/renew-group-calendar",
    "GetItem",
    "PutItem",
    "DeleteItem",
  ),
  session(
    "DELETE",
    `${WORKSPACE}/groups/{groupId}/on-call/calendar`,
    "calendars/delete-group-calendar",
    "GetItem",
    "DeleteItem",
  ),
  session(
    "DELETE",
    `${WORKSPACE}/groups/{groupId}/on-call/overrides/{overrideId}`,
    "on-call/delete-override",
    "GetItem",
    "UpdateItem",
    "DeleteItem",
  ),

  session(
    "POST",
    `${WORKSPACE}/escalation-policies`,
    "escalation-policies/create-escalation-policy",
    "GetItem",
    "BatchGetItem",
    "Query",
    "PutItem",
    "UpdateItem",
  ),
  session(
    "GET",
    `${WORKSPACE}/escalation-policies`,
    "escalation-policies/list-escalation-policies",
    "GetItem",
    "Query",
  ),
  session("GET", `${WORKSPACE}/escalation-policies/{policyId}`, "escalation-policies/get-escalation-policy", "GetItem"),
  session(
    "PATCH",
    `${WORKSPACE}/escalation-policies/{policyId}`,
    "escalation-policies/update-escalation-policy",
    "GetItem",
    "BatchGetItem",
    "Query",
    "PutItem",
    "UpdateItem",
  ),
  session(
    "DELETE",
    `${WORKSPACE}/escalation-policies/{policyId}`,
    "escalation-policies/delete-escalation-policy",
    "GetItem",
    "Query",
    "UpdateItem",
    "DeleteItem",
  ),

  session("POST", `${WORKSPACE}/silences`, "silences/create-silence", "GetItem", "Query", "PutItem", "UpdateItem"),
  session("GET", `${WORKSPACE}/silences`, "silences/list-silences", "GetItem", "Query"),
  session("GET", `${WORKSPACE}/silences/{silenceId}`, "silences/get-silence", "GetItem"),
  session(
    "PATCH",
    `${WORKSPACE}/silences/{silenceId}`,
    "silences/update-silence",
    "GetItem",
    "Query",
    "PutItem",
    "UpdateItem",
  ),
  session(
    "DELETE",
    `${WORKSPACE}/silences/{silenceId}`,
    "silences/delete-silence",
    "GetItem",
    "UpdateItem",
    "DeleteItem",
  ),

  session(
    "POST",
    `${WORKSPACE}/heartbeats`,
    "heartbeats/create-heartbeat",
    "GetItem",
    "Query",
    "PutItem",
    "UpdateItem",
  ),
  session("GET", `${WORKSPACE}/heartbeats`, "heartbeats/list-heartbeats", "GetItem", "Query"),
  session("GET", `${WORKSPACE}/heartbeats/{heartbeatId}`, "heartbeats/get-heartbeat", "GetItem"),
  session(
    "PATCH",
    `${WORKSPACE}/heartbeats/{heartbeatId}`,
    "heartbeats/update-heartbeat",
    "GetItem",
    "PutItem",
    "UpdateItem",
    "DeleteItem",
  ),
  session(
    "DELETE",
    `${WORKSPACE}/heartbeats/{heartbeatId}`,
    "heartbeats/delete-heartbeat",
    "GetItem",
    "DeleteItem",
    "UpdateItem",
  ),
  heartbeatCall("POST"),
  // For programs that can only send a GET, such as a monitor or a cron service.
  heartbeatCall("GET"),

  session("GET", `${WORKSPACE}/event-types`, "event-types/list-event-types", "GetItem", "Query"),
  session("GET", `${WORKSPACE}/event-types/{eventKey}`, "event-types/get-event-type", "GetItem"),
  session("GET", `${WORKSPACE}/statistics`, "statistics/list-statistics", "GetItem", "Query"),
  session("GET", `${WORKSPACE}/sites`, "sites/list-sites", "GetItem", "Query"),
];

/** The console: everything that is not the API. It reads its own files and nothing else. */
export const site = {
  paths: ["/", "/{path+}"],
  entry: "console/serve-console",
  access: { table: [] },
} as const satisfies { paths: readonly string[]; entry: string; access: Access };
