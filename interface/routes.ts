import type { Role } from "../core/domain/people/role.ts";
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
  /** The least role of a member who may call it. Where it is absent, no membership is asked for. */
  role?: Role;
  /** The parameter of the path that holds a person's id: on themselves, members of any role may call it. */
  ofOneself?: string;
};

const PARAMETER = /\{(\w+)\}/g;

/** The names of a path's parameters, in their order. */
export const parametersOf = (path: string): string[] => [...path.matchAll(PARAMETER)].map(([, name = ""]) => name);

/** A path with its parameters filled in. */
export const filledPath = (path: string, values: Readonly<Record<string, string | undefined>>): string =>
  path.replaceAll(PARAMETER, (_, name: string) => encodeURIComponent(values[name] ?? ""));

const WORKSPACE = "/v1/workspaces/{workspaceId}";

/** A route for members of the workspace in its path who have at least this role. */
const by =
  (role: Role) =>
  (method: Method, path: string, entry: string, ...table: Access["table"]): Route => ({
    method,
    path,
    entry,
    auth: "session",
    access: { table },
    role,
  });
/** What every member may do: read everything, acknowledge, and what is their own. */
const viewer = by("viewer");
const responder = by("responder");
const manager = by("manager");
const owner = by("owner");

/** What taking an event in needs: no person, no device, no rule. */
const intake: Access = {
  table: ["GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
  keys: ["workspace", "apiKeys", "claims", "events", "lostNumbers", "markers"],
  sendsTo: ["events"],
};

const fromSource = (path: string, auth: Auth = "api-key"): Route => ({
  method: "POST",
  path,
  entry: "events/post-from-source",
  auth,
  access: intake,
});

const heartbeatCall = (method: Method): Route => ({
  method,
  path: "/v1/heartbeats/{heartbeat}",
  entry: "heartbeats/take-call",
  auth: "secret-path",
  access: { table: ["PutItem", "UpdateItem"], keys: ["heartbeats", "heartbeatChecks"] },
});

const WRITES: Access["table"] = ["PutItem", "UpdateItem", "DeleteItem"];

/** Whether calls to a route change something. */
export const isWriting = ({ access }: Pick<Route, "access">): boolean =>
  access.table.some((action) => WRITES.includes(action));

/** Whether programs and devices hand something in by a route, which is lost if they do not send it again. */
export const isIntake = (route: Pick<Route, "access" | "auth">): boolean =>
  route.auth !== "session" && isWriting(route);

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
    access: intake,
  },
  fromSource("/v1/events/from/{source}"),
  // Where Opsgenie and PagerDuty clients call when they are given another host.
  fromSource("/v1/events/from/{source}/v2/{call}"),
  fromSource("/v1/events/from/{source}/v2/{call}/{alias}/{action}"),
  // For tools that can send no header, such as Amazon SNS.
  fromSource("/v1/events/from/{source}/{key}", "secret-path"),
  {
    method: "GET",
    path: "/v1/events/ping",
    entry: "events/ping",
    auth: "api-key",
    access: { table: ["GetItem"], keys: ["workspace"] },
  },

  {
    method: "POST",
    path: "/v1/workspaces",
    entry: "workspaces/create-workspace",
    auth: "session",
    access: { table: ["PutItem", "UpdateItem"], givesPlan: true, asksUserPool: true },
  },
  {
    method: "GET",
    path: "/v1/workspaces",
    entry: "workspaces/list-workspaces",
    auth: "session",
    access: { table: ["Query", "BatchGetItem"] },
  },
  viewer("GET", WORKSPACE, "workspaces/get-workspace", "GetItem"),
  owner("PATCH", WORKSPACE, "workspaces/update-workspace", "GetItem", "UpdateItem"),

  {
    method: "GET",
    path: "/v1/calendars/{calendar}",
    entry: "calendars/read-calendar",
    auth: "secret-path",
    access: { table: ["GetItem", "Query"], keys: ["calendars", "people"] },
  },

  viewer("GET", `${WORKSPACE}/members`, "members/list-members", "GetItem", "Query"),
  owner("POST", `${WORKSPACE}/members`, "members/add-member", "GetItem", "PutItem", "UpdateItem", "DeleteItem"),
  owner("PATCH", `${WORKSPACE}/members/{userId}`, "members/update-member", "GetItem", "UpdateItem"),
  {
    ...owner(
      "DELETE",
      `${WORKSPACE}/members/{userId}`,
      "members/remove-member",
      "GetItem",
      "Query",
      "UpdateItem",
      "DeleteItem",
    ),
    // Anybody may leave.
    ofOneself: "userId",
  },

  manager(
    "POST",
    `${WORKSPACE}/api-keys`,
    "api-keys/create-api-key",
    "GetItem",
    "Query",
    "PutItem",
    "UpdateItem",
    "DeleteItem",
  ),
  viewer("GET", `${WORKSPACE}/api-keys`, "api-keys/list-api-keys", "GetItem", "Query"),
  viewer("GET", `${WORKSPACE}/api-keys/{id}`, "api-keys/get-api-key", "GetItem"),
  manager("DELETE", `${WORKSPACE}/api-keys/{id}`, "api-keys/delete-api-key", "GetItem", "UpdateItem", "DeleteItem"),

  manager(
    "POST",
    `${WORKSPACE}/routing-rules`,
    "routing-rules/create-routing-rule",
    "GetItem",
    "BatchGetItem",
    "Query",
    "PutItem",
    "UpdateItem",
  ),
  viewer("GET", `${WORKSPACE}/routing-rules`, "routing-rules/list-routing-rules", "GetItem", "BatchGetItem", "Query"),
  viewer(
    "GET",
    `${WORKSPACE}/routing-rules/{ruleId}`,
    "routing-rules/get-routing-rule",
    "GetItem",
    "BatchGetItem",
    "Query",
  ),
  manager(
    "PATCH",
    `${WORKSPACE}/routing-rules/{ruleId}`,
    "routing-rules/update-routing-rule",
    "GetItem",
    "BatchGetItem",
    "Query",
    "PutItem",
    "UpdateItem",
  ),
  manager(
    "DELETE",
    `${WORKSPACE}/routing-rules/{ruleId}`,
    "routing-rules/delete-routing-rule",
    "GetItem",
    "PutItem",
    "UpdateItem",
    "DeleteItem",
  ),
  viewer(
    "POST",
    `${WORKSPACE}/routing-rules/test`,
    "routing-rules/test-routing-rules",
    "GetItem",
    "BatchGetItem",
    "Query",
  ),

  viewer("POST", `${WORKSPACE}/simulate`, "simulate/simulate-event", "GetItem", "BatchGetItem", "Query"),
  viewer("POST", `${WORKSPACE}/simulate/history`, "simulate/simulate-history", "GetItem", "BatchGetItem", "Query"),

  manager("POST", `${WORKSPACE}/groups`, "groups/create-group", "GetItem", "Query", "PutItem", "UpdateItem"),
  viewer("GET", `${WORKSPACE}/groups`, "groups/list-groups", "GetItem", "Query"),
  viewer("GET", `${WORKSPACE}/groups/{groupId}`, "groups/get-group", "GetItem"),
  manager("PATCH", `${WORKSPACE}/groups/{groupId}`, "groups/update-group", "GetItem", "UpdateItem"),
  manager(
    "DELETE",
    `${WORKSPACE}/groups/{groupId}`,
    "groups/delete-group",
    "GetItem",
    "Query",
    "UpdateItem",
    "DeleteItem",
  ),
  viewer(
    "GET",
    `${WORKSPACE}/groups/{groupId}/members`,
    "groups/list-group-members",
    "GetItem",
    "BatchGetItem",
    "Query",
  ),
  manager(
    "POST",
    `${WORKSPACE}/groups/{groupId}/members`,
    "groups/add-group-member",
    "GetItem",
    "Query",
    "PutItem",
    "UpdateItem",
  ),
  manager(
    "DELETE",
    `${WORKSPACE}/groups/{groupId}/members/{userId}`,
    "groups/remove-group-member",
    "GetItem",
    "Query",
    "UpdateItem",
    "DeleteItem",
  ),

  viewer("GET", `${WORKSPACE}/events`, "events/list-events", "GetItem", "BatchGetItem", "Query"),
  {
    method: "POST",
    path: `${WORKSPACE}/events/acknowledge`,
    entry: "events/acknowledge-events",
    auth: "session",
    role: "viewer",
    access: {
      table: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
      sendsTo: ["pushes", "webhooks"],
    },
  },
  {
    method: "POST",
    path: `${WORKSPACE}/events/{eventId}/resolve`,
    entry: "events/resolve-event",
    auth: "session",
    role: "responder",
    access: {
      table: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
      sendsTo: ["pushes", "webhooks"],
    },
  },
  {
    method: "POST",
    path: `${WORKSPACE}/events/{eventId}/snooze`,
    entry: "events/snooze-event",
    auth: "session",
    role: "responder",
    access: {
      table: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
      sendsTo: ["pushes", "webhooks"],
    },
  },
  {
    method: "POST",
    path: `${WORKSPACE}/events/{eventId}/escalate`,
    entry: "events/escalate-event",
    auth: "session",
    role: "responder",
    access: {
      table: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
      sendsTo: ["escalations"],
    },
  },
  {
    method: "POST",
    path: `${WORKSPACE}/events/{eventId}/tell`,
    entry: "events/tell-event",
    auth: "session",
    role: "responder",
    access: {
      table: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
      sendsTo: ["escalations"],
    },
  },
  responder("POST", `${WORKSPACE}/events/{eventId}/notes`, "events/note-event", "GetItem", "Query", "PutItem"),
  viewer("GET", `${WORKSPACE}/events/{eventId}`, "events/get-event", "GetItem", "Query", "BatchGetItem"),
  viewer(
    "GET",
    `${WORKSPACE}/events/{eventId}/notifications`,
    "events/list-event-notifications",
    "GetItem",
    "Query",
    "BatchGetItem",
  ),
  viewer("GET", `${WORKSPACE}/events/{eventId}/explain`, "events/explain-event", "GetItem", "Query", "BatchGetItem"),

  viewer("GET", `${WORKSPACE}/notifications`, "notifications/list-notifications", "GetItem", "BatchGetItem", "Query"),
  viewer("GET", `${WORKSPACE}/notifications/{notificationId}`, "notifications/get-notification", "GetItem", "Query"),
  {
    method: "PATCH",
    path: `${WORKSPACE}/notifications/{notificationId}`,
    entry: "notifications/update-notification",
    auth: "session",
    role: "viewer",
    access: {
      table: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
      sendsTo: ["pushes", "webhooks"],
    },
  },

  {
    method: "POST",
    path: `${WORKSPACE}/devices`,
    entry: "devices/register-device",
    auth: "session",
    role: "viewer",
    // Whoever loses the device to somebody else is told by an event of the service's own.
    access: {
      table: ["GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
      sendsTo: ["events"],
      sendsMail: true,
    },
  },
  viewer("POST", `${WORKSPACE}/devices/{deviceId}/verify`, "devices/verify-device", "GetItem", "UpdateItem"),
  viewer("GET", `${WORKSPACE}/devices`, "devices/list-devices", "GetItem"),
  viewer("DELETE", `${WORKSPACE}/devices/{deviceId}`, "devices/delete-device", "GetItem", "UpdateItem"),

  {
    method: "POST",
    path: `${WORKSPACE}/devices/{deviceId}/test`,
    entry: "devices/test-device",
    auth: "session",
    role: "viewer",
    access: {
      table: ["GetItem", "UpdateItem"],
      readsSecrets: ["fcm", "vapid", "receipts"],
      sendsMail: true,
      knowsBaseUrl: true,
    },
  },
  {
    method: "POST",
    path: "/v1/receipts",
    entry: "receipts/take-receipt",
    auth: "receipt",
    access: {
      table: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
      keys: ["workspace", "people", "devices", "packs", "events", "planParts", "escalations", "openEvents", "markers"],
      sendsTo: ["pushes", "webhooks"],
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

  viewer("GET", `${WORKSPACE}/groups/{groupId}/on-call`, "on-call/get-on-call", "GetItem", "Query"),
  manager(
    "PUT",
    `${WORKSPACE}/groups/{groupId}/on-call`,
    "on-call/put-on-call",
    "GetItem",
    "BatchGetItem",
    "Query",
    "PutItem",
    "UpdateItem",
  ),
  viewer("GET", `${WORKSPACE}/groups/{groupId}/on-call/now`, "on-call/get-on-call-now", "GetItem", "Query"),
  responder(
    "POST",
    `${WORKSPACE}/groups/{groupId}/on-call/overrides`,
    "on-call/create-override",
    "GetItem",
    "BatchGetItem",
    "Query",
    "PutItem",
    "UpdateItem",
  ),
  viewer("GET", `${WORKSPACE}/on-call/now`, "on-call/list-on-call-now", "GetItem", "Query"),
  viewer("GET", `${WORKSPACE}/on-call/mine`, "on-call/list-my-shifts", "GetItem", "Query"),
  viewer(
    "POST",
    `${WORKSPACE}/on-call/mine/calendar`,
    "calendars/renew-my-calendar",
    "GetItem",
    "PutItem",
    "DeleteItem",
  ),
  viewer("DELETE", `${WORKSPACE}/on-call/mine/calendar`, "calendars/delete-my-calendar", "GetItem", "DeleteItem"),
  manager(
    "POST",
    `${WORKSPACE}/groups/{groupId}/on-call/calendar`,
    "calendars/renew-group-calendar",
    "GetItem",
    "PutItem",
    "DeleteItem",
  ),
  manager(
    "DELETE",
    `${WORKSPACE}/groups/{groupId}/on-call/calendar`,
    "calendars/delete-group-calendar",
    "GetItem",
    "DeleteItem",
  ),
  responder(
    "DELETE",
    `${WORKSPACE}/groups/{groupId}/on-call/overrides/{overrideId}`,
    "on-call/delete-override",
    "GetItem",
    "Query",
    "UpdateItem",
    "DeleteItem",
  ),

  manager(
    "POST",
    `${WORKSPACE}/escalation-policies`,
    "escalation-policies/create-escalation-policy",
    "GetItem",
    "BatchGetItem",
    "Query",
    "PutItem",
    "UpdateItem",
  ),
  viewer("GET", `${WORKSPACE}/escalation-policies`, "escalation-policies/list-escalation-policies", "GetItem", "Query"),
  viewer("GET", `${WORKSPACE}/escalation-policies/{policyId}`, "escalation-policies/get-escalation-policy", "GetItem"),
  manager(
    "PATCH",
    `${WORKSPACE}/escalation-policies/{policyId}`,
    "escalation-policies/update-escalation-policy",
    "GetItem",
    "BatchGetItem",
    "Query",
    "UpdateItem",
  ),
  manager(
    "DELETE",
    `${WORKSPACE}/escalation-policies/{policyId}`,
    "escalation-policies/delete-escalation-policy",
    "GetItem",
    "Query",
    "UpdateItem",
    "DeleteItem",
  ),

  manager("POST", `${WORKSPACE}/silences`, "silences/create-silence", "GetItem", "Query", "PutItem", "UpdateItem"),
  viewer("GET", `${WORKSPACE}/silences`, "silences/list-silences", "GetItem", "Query"),
  viewer("GET", `${WORKSPACE}/silences/{silenceId}`, "silences/get-silence", "GetItem"),
  manager(
    "PATCH",
    `${WORKSPACE}/silences/{silenceId}`,
    "silences/update-silence",
    "GetItem",
    "Query",
    "PutItem",
    "UpdateItem",
    "DeleteItem",
  ),
  manager(
    "DELETE",
    `${WORKSPACE}/silences/{silenceId}`,
    "silences/delete-silence",
    "GetItem",
    "PutItem",
    "UpdateItem",
    "DeleteItem",
  ),

  manager(
    "POST",
    `${WORKSPACE}/heartbeats`,
    "heartbeats/create-heartbeat",
    "GetItem",
    "Query",
    "PutItem",
    "UpdateItem",
  ),
  viewer("GET", `${WORKSPACE}/heartbeats`, "heartbeats/list-heartbeats", "GetItem", "Query"),
  viewer("GET", `${WORKSPACE}/heartbeats/{heartbeatId}`, "heartbeats/get-heartbeat", "GetItem"),
  manager(
    "PATCH",
    `${WORKSPACE}/heartbeats/{heartbeatId}`,
    "heartbeats/update-heartbeat",
    "GetItem",
    "PutItem",
    "UpdateItem",
    "DeleteItem",
    "Query",
  ),
  manager(
    "DELETE",
    `${WORKSPACE}/heartbeats/{heartbeatId}`,
    "heartbeats/delete-heartbeat",
    "GetItem",
    "DeleteItem",
    "UpdateItem",
  ),
  {
    ...manager("POST", `${WORKSPACE}/webhooks`, "webhooks/create-webhook"),
    access: { table: ["GetItem", "Query", "PutItem", "UpdateItem"], readsSecrets: ["webhooks"] },
  },
  viewer("GET", `${WORKSPACE}/webhooks`, "webhooks/list-webhooks", "GetItem", "Query"),
  viewer("GET", `${WORKSPACE}/webhooks/{webhookId}`, "webhooks/get-webhook", "GetItem"),
  {
    ...manager("PATCH", `${WORKSPACE}/webhooks/{webhookId}`, "webhooks/update-webhook"),
    access: { table: ["GetItem", "UpdateItem"], sendsTo: ["webhooks"] },
  },
  manager(
    "DELETE",
    `${WORKSPACE}/webhooks/{webhookId}`,
    "webhooks/delete-webhook",
    "GetItem",
    "UpdateItem",
    "DeleteItem",
  ),
  {
    ...manager("POST", `${WORKSPACE}/webhooks/{webhookId}/secret`, "webhooks/rotate-webhook-secret"),
    access: { table: ["GetItem", "UpdateItem"], readsSecrets: ["webhooks"] },
  },
  {
    ...manager("POST", `${WORKSPACE}/webhooks/{webhookId}/test`, "webhooks/test-webhook"),
    access: { table: ["GetItem", "UpdateItem"], sendsTo: ["webhooks"], readsSecrets: ["webhooks"] },
  },
  viewer("GET", `${WORKSPACE}/webhooks/{webhookId}/deliveries`, "webhooks/list-webhook-deliveries", "GetItem", "Query"),
  {
    ...manager("POST", `${WORKSPACE}/webhooks/{webhookId}/replay`, "webhooks/replay-webhook"),
    access: { table: ["GetItem", "Query", "PutItem", "UpdateItem"], sendsTo: ["webhooks"] },
  },
  heartbeatCall("POST"),
  // For programs that can only send a GET, such as a monitor or a cron service.
  heartbeatCall("GET"),

  viewer("GET", `${WORKSPACE}/event-types`, "event-types/list-event-types", "GetItem", "Query"),
  viewer("GET", `${WORKSPACE}/event-types/{eventKey}`, "event-types/get-event-type", "GetItem"),
  viewer("GET", `${WORKSPACE}/statistics`, "statistics/list-statistics", "GetItem", "Query"),
  viewer("GET", `${WORKSPACE}/sites`, "sites/list-sites", "GetItem", "Query"),
];

/**
 * Another key by which the API calls the function of a route. It is in no reference, because it is the same path.
 */
export type OtherKey = Omit<Route, "method"> & { method: Method | "HEAD" };

/** Paths that programs post to: their clients send a slash at the end, which API Gateway takes for another path. */
const SLASHED: readonly string[] = ["/v1/events", "/v1/events/from/{source}", "/v1/heartbeats/{heartbeat}"];
/** The name under which a function finds what stands behind such a path. A key that ends with a slash is refused. */
export const REST = "rest";

export const otherKeysOf = (route: Route): OtherKey[] => [
  ...(SLASHED.includes(route.path) ? [{ ...route, path: `${route.path}/{${REST}+}` }] : []),
  ...(route.method === "GET" ? [{ ...route, method: "HEAD" as const }] : []),
];

/** HEAD is GET without a body: monitors and people's programs ask so. */
export const otherKeys: readonly OtherKey[] = routes.flatMap(otherKeysOf);

const byKey = new Map([...routes, ...otherKeys].map((route) => [`${route.method} ${route.path}`, route]));

/**
 * The role that a route needs, by the key under which API Gateway knows the route. Throws for a route that names none:
 * nobody gets past a check that was forgotten.
 */
export const roleNeededBy = (key: string): { role: Role; ofOneself?: string | undefined } => {
  const { role, ofOneself } = byKey.get(key) ?? {};
  if (role === undefined) throw new Error(`the route "${key}" names no role`);
  return { role, ofOneself };
};

/** The console: everything that is not the API. It reads its own files and nothing else. */
export const site = {
  paths: ["/", "/{path+}"],
  /**
   * What opens the console, as routes of their own: who floods addresses that there are not, which is everything else,
   * takes nothing from them.
   */
  opening: ["/inbox", "/login", "/signed-in", "/worker.js", "/assets/{file}"],
  entry: "console/serve-console",
  access: { table: [] },
} as const satisfies { paths: readonly string[]; opening: readonly string[]; entry: string; access: Access };
