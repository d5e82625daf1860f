import type { Role } from "../core/domain/people/role.ts";
import { tableActions, type Access } from "./access.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * `api-key`: the function itself checks X-Api-Key. `session`: the API's JWT authorizer lets nobody else through.
 * `secret-path`: the path holds a secret that the function checks. `receipt`: the body holds a proof that it checks.
 * `signature`: the headers sign the body, which it checks.
 */
export type Auth = "api-key" | "session" | "secret-path" | "receipt" | "signature";

export type Route = {
  method: Method;
  /** In API Gateway's notation, with `{name}` for a parameter. */
  path: string;
  /**
   * The handler's file below `functions/`, without its extension.
   */
  entry: string;
  auth: Auth;
  access: Access;
  /** The least role of a member who may call it. Where it is absent, no membership is asked for. */
  role?: Role;
  /** The parameter of the path that holds a person's id: on themselves, members of any role may call it. */
  ofOneself?: string;
  /** Machines are refused: it is about what a person has, or takes upon themselves. */
  forPeople?: true;
};

const PARAMETER = /\{(\w+)\}/g;

/** The names of a path's parameters, in their order. */
export const parametersOf = (path: string): string[] => [...path.matchAll(PARAMETER)].map(([, name = ""]) => name);

/** A path with its parameters filled in. */
export const filledPath = (path: string, values: Readonly<Record<string, string | undefined>>): string =>
  path.replaceAll(PARAMETER, (_, name: string) => encodeURIComponent(values[name] ?? ""));

const [get, batch, query, put, update, remove] = tableActions;

/** A route below a workspace for its members who have at least this role. */
const by =
  (role: Role) =>
  (method: Method, below: string, entry: string, ...table: Access["table"]): Route => ({
    method,
    path: `/v1/workspaces/{workspaceId}${below}`,
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
/** A route for members that is for no machine. */
const forPeople =
  (make: ReturnType<typeof by>): ReturnType<typeof by> =>
  (...route) => ({ ...make(...route), forPeople: true });
/** What every person may do who is a member, and no machine. */
const person = forPeople(viewer);
/** A route whose function may do more than use the table. */
const allowed = (route: Route, more: Omit<Access, "table">): Route => ({
  ...route,
  access: { ...route.access, ...more },
});

/** What taking an event in needs: no person, no device, no rule. */
const intakeKeys: NonNullable<Access["keys"]> = ["workspace", "apiKeys", "claims", "events", "lostNumbers", "markers"];
const intake: Access = {
  table: [get, query, put, update, remove],
  keys: intakeKeys,
  sendsTo: ["events"],
};

const fromSource = (path: string, auth: Auth = "api-key"): Route => ({
  method: "POST",
  path,
  entry: "events/post-from-source",
  auth,
  // Clients of Opsgenie call heartbeats by their names.
  access: { ...intake, keys: [...intakeKeys, "heartbeats", "heartbeatChecks"] },
});

const heartbeatCall = (method: Method): Route => ({
  method,
  path: "/v1/heartbeats/{heartbeat}",
  entry: "heartbeats/take-call",
  auth: "secret-path",
  access: { table: [put, update], keys: ["heartbeats", "heartbeatChecks"] },
});

const WRITES: Access["table"] = [put, update, remove];

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
    access: { table: [get], keys: ["workspace"] },
  },

  {
    method: "POST",
    path: "/v1/workspaces",
    entry: "workspaces/create-workspace",
    auth: "session",
    forPeople: true,
    access: { table: [get, put, update], givesPlan: true, asksUserPool: true },
  },
  {
    method: "GET",
    path: "/v1/workspaces",
    entry: "workspaces/list-workspaces",
    auth: "session",
    access: { table: [query, batch] },
  },
  viewer("GET", "", "workspaces/get-workspace", get),
  allowed(manager("PATCH", "", "workspaces/update-workspace", get, put, update), { knowsWays: true }),
  owner("DELETE", "", "workspaces/delete-workspace", get, query, put, update, remove),

  {
    method: "GET",
    path: "/v1/calendars/{calendar}",
    entry: "calendars/read-calendar",
    auth: "secret-path",
    access: { table: [get, query], keys: ["calendars", "people"] },
  },

  viewer("GET", "/members", "members/list-members", get, query),
  viewer("GET", "/members/{userId}", "members/get-member", get, query),
  owner("POST", "/members", "members/add-member", get, query, put, update, remove),
  owner("PATCH", "/members/{userId}", "members/update-member", get, query, put, update, remove),
  {
    ...owner("DELETE", "/members/{userId}", "members/remove-member", get, query, put, update, remove),
    // Anybody may leave.
    ofOneself: "userId",
  },

  // Mails the invited, where the stage sends mail.
  allowed(owner("POST", "/invitations", "invitations/create-invitation", get, query, put, update), {
    sendsMail: true,
    knowsBaseUrl: true,
  }),
  owner("GET", "/invitations", "invitations/list-invitations", get, query),
  owner("DELETE", "/invitations/{invitationId}", "invitations/delete-invitation", get, put, remove),
  {
    method: "GET",
    path: "/v1/invitations",
    entry: "invitations/list-my-invitations",
    auth: "session",
    forPeople: true,
    access: { table: [get, query], asksUserPool: true },
  },
  {
    method: "POST",
    path: "/v1/invitations/{invitationId}/accept",
    entry: "invitations/accept-invitation",
    auth: "session",
    forPeople: true,
    access: { table: [get, query, put, update, remove], asksUserPool: true },
  },

  owner("GET", "/audit", "audit/list-audit", get, batch, query),

  manager("POST", "/api-keys", "api-keys/create-api-key", get, query, put, update, remove),
  viewer("GET", "/api-keys", "api-keys/list-api-keys", get, query),
  viewer("GET", "/api-keys/{id}", "api-keys/get-api-key", get),
  manager("DELETE", "/api-keys/{id}", "api-keys/delete-api-key", get, put, update, remove),

  manager("POST", "/routing-rules", "routing-rules/create-routing-rule", get, batch, query, put, update),
  viewer("GET", "/routing-rules", "routing-rules/list-routing-rules", get, batch, query),
  viewer("GET", "/routing-rules/{ruleId}", "routing-rules/get-routing-rule", get, batch, query),
  manager("PATCH", "/routing-rules/{ruleId}", "routing-rules/update-routing-rule", get, batch, query, put, update),
  manager("DELETE", "/routing-rules/{ruleId}", "routing-rules/delete-routing-rule", get, put, update, remove),
  viewer("POST", "/routing-rules/test", "routing-rules/test-routing-rules", get, batch, query),

  viewer("POST", "/simulate", "simulate/simulate-event", get, batch, query),
  viewer("POST", "/simulate/history", "simulate/simulate-history", get, batch, query),

  manager("POST", "/groups", "groups/create-group", get, query, put, update),
  viewer("GET", "/groups", "groups/list-groups", get, query),
  viewer("GET", "/groups/{groupId}", "groups/get-group", get),
  manager("PATCH", "/groups/{groupId}", "groups/update-group", get, put, update),
  manager("DELETE", "/groups/{groupId}", "groups/delete-group", get, query, put, update, remove),
  viewer("GET", "/groups/{groupId}/members", "groups/list-group-members", get, batch, query),
  manager("POST", "/groups/{groupId}/members", "groups/add-group-member", get, query, put, update),
  manager(
    "DELETE",
    "/groups/{groupId}/members/{userId}",
    "groups/remove-group-member",
    get,
    query,
    put,
    update,
    remove,
  ),

  viewer("GET", "/events", "events/list-events", get, batch, query),
  allowed(person("POST", "/events/acknowledge", "events/acknowledge-events", ...tableActions), {
    sendsTo: ["pushes", "webhooks"],
  }),
  allowed(responder("POST", "/events/{eventId}/resolve", "events/resolve-event", ...tableActions), {
    sendsTo: ["pushes", "webhooks"],
  }),
  allowed(forPeople(responder)("POST", "/events/{eventId}/snooze", "events/snooze-event", ...tableActions), {
    sendsTo: ["pushes", "webhooks"],
  }),
  allowed(responder("POST", "/events/{eventId}/escalate", "events/escalate-event", ...tableActions), {
    sendsTo: ["escalations"],
  }),
  allowed(responder("POST", "/events/{eventId}/tell", "events/tell-event", ...tableActions), {
    sendsTo: ["escalations"],
  }),
  responder("POST", "/events/{eventId}/notes", "events/note-event", get, query, put),
  viewer("GET", "/events/{eventId}", "events/get-event", get, query, batch),
  viewer("GET", "/events/{eventId}/notifications", "events/list-event-notifications", get, query, batch),
  viewer("GET", "/events/{eventId}/explain", "events/explain-event", get, query, batch),

  viewer("GET", "/notifications", "notifications/list-notifications", get, batch, query),
  viewer("GET", "/notifications/{notificationId}", "notifications/get-notification", get, query),
  allowed(person("PATCH", "/notifications/{notificationId}", "notifications/update-notification", ...tableActions), {
    sendsTo: ["pushes", "webhooks"],
  }),

  // Whoever loses the device to somebody else is told by an event of the service's own.
  allowed(person("POST", "/devices", "devices/register-device", get, query, put, update, remove), {
    sendsTo: ["events"],
    sendsToContacts: true,
  }),
  person("POST", "/devices/{deviceId}/verify", "devices/verify-device", get, update),
  person("GET", "/devices", "devices/list-devices", get),
  person("DELETE", "/devices/{deviceId}", "devices/delete-device", get, put, update, remove),

  allowed(person("POST", "/devices/{deviceId}/test", "devices/test-device", get, put, update, remove), {
    readsSecrets: ["fcm", "vapid", "receipts"],
    sendsToContacts: true,
    knowsBaseUrl: true,
  }),
  {
    method: "POST",
    path: "/v1/receipts",
    entry: "receipts/take-receipt",
    auth: "receipt",
    access: {
      table: tableActions,
      keys: [
        "workspace",
        "people",
        "devices",
        "packs",
        "events",
        "planParts",
        "escalations",
        "firings",
        "grouped",
        "openEvents",
        "markers",
      ],
      sendsTo: ["pushes", "webhooks"],
      readsSecrets: ["receipts"],
    },
  },

  allowed(person("GET", "/notification-rules", "notification-rules/get-notification-rules", get), { knowsWays: true }),
  allowed(
    person("PUT", "/notification-rules", "notification-rules/put-notification-rules", get, batch, query, put, update),
    {
      knowsWays: true,
    },
  ),

  {
    method: "GET",
    path: "/v1/web-push/key",
    entry: "devices/get-web-push-key",
    auth: "session",
    forPeople: true,
    access: { table: [], readsSecrets: ["vapid"] },
  },

  viewer("GET", "/groups/{groupId}/on-call", "on-call/get-on-call", get, query),
  manager("PUT", "/groups/{groupId}/on-call", "on-call/put-on-call", get, batch, query, put, update),
  viewer("GET", "/groups/{groupId}/on-call/now", "on-call/get-on-call-now", get, query),
  responder("POST", "/groups/{groupId}/on-call/overrides", "on-call/create-override", get, batch, query, put, update),
  viewer("GET", "/on-call/now", "on-call/list-on-call-now", get, query),
  person("GET", "/on-call/mine", "on-call/list-my-shifts", get, query),
  person("POST", "/on-call/mine/calendar", "calendars/renew-my-calendar", get, put, remove),
  person("DELETE", "/on-call/mine/calendar", "calendars/delete-my-calendar", get, put, remove),
  manager("POST", "/groups/{groupId}/on-call/calendar", "calendars/renew-group-calendar", get, put, remove),
  manager("DELETE", "/groups/{groupId}/on-call/calendar", "calendars/delete-group-calendar", get, put, remove),
  responder(
    "DELETE",
    "/groups/{groupId}/on-call/overrides/{overrideId}",
    "on-call/delete-override",
    get,
    query,
    put,
    update,
    remove,
  ),

  manager(
    "POST",
    "/escalation-policies",
    "escalation-policies/create-escalation-policy",
    get,
    batch,
    query,
    put,
    update,
  ),
  viewer("GET", "/escalation-policies", "escalation-policies/list-escalation-policies", get, query),
  viewer("GET", "/escalation-policies/{policyId}", "escalation-policies/get-escalation-policy", get),
  manager(
    "PATCH",
    "/escalation-policies/{policyId}",
    "escalation-policies/update-escalation-policy",
    get,
    batch,
    query,
    put,
    update,
  ),
  manager(
    "DELETE",
    "/escalation-policies/{policyId}",
    "escalation-policies/delete-escalation-policy",
    get,
    query,
    put,
    update,
    remove,
  ),

  manager("POST", "/silences", "silences/create-silence", get, query, put, update),
  viewer("GET", "/silences", "silences/list-silences", get, query),
  viewer("GET", "/silences/{silenceId}", "silences/get-silence", get),
  manager("PATCH", "/silences/{silenceId}", "silences/update-silence", get, query, put, update, remove),
  manager("DELETE", "/silences/{silenceId}", "silences/delete-silence", get, put, update, remove),

  manager("POST", "/heartbeats", "heartbeats/create-heartbeat", get, query, put, update),
  viewer("GET", "/heartbeats", "heartbeats/list-heartbeats", get, query),
  viewer("GET", "/heartbeats/{heartbeatId}", "heartbeats/get-heartbeat", get),
  manager("PATCH", "/heartbeats/{heartbeatId}", "heartbeats/update-heartbeat", get, put, update, remove, query),
  manager("DELETE", "/heartbeats/{heartbeatId}", "heartbeats/delete-heartbeat", get, put, remove, update),
  allowed(manager("POST", "/webhooks", "webhooks/create-webhook", get, query, put, update), {
    readsSecrets: ["webhooks"],
  }),
  viewer("GET", "/webhooks", "webhooks/list-webhooks", get, query),
  viewer("GET", "/webhooks/{webhookId}", "webhooks/get-webhook", get),
  allowed(manager("PATCH", "/webhooks/{webhookId}", "webhooks/update-webhook", get, put, update), {
    sendsTo: ["webhooks"],
  }),
  manager("DELETE", "/webhooks/{webhookId}", "webhooks/delete-webhook", get, put, update, remove),
  allowed(manager("POST", "/webhooks/{webhookId}/secret", "webhooks/rotate-webhook-secret", get, put, update), {
    readsSecrets: ["webhooks"],
  }),
  allowed(manager("POST", "/webhooks/{webhookId}/test", "webhooks/test-webhook", get, put, update), {
    sendsTo: ["webhooks"],
    readsSecrets: ["webhooks"],
  }),
  viewer("GET", "/webhooks/{webhookId}/deliveries", "webhooks/list-webhook-deliveries", get, query),
  allowed(manager("POST", "/webhooks/{webhookId}/replay", "webhooks/replay-webhook", get, query, put, update), {
    sendsTo: ["webhooks"],
  }),
  allowed(manager("POST", "/connections", "connections/create-connection", get, query, put, update), {
    callsSlack: true,
  }),
  viewer("GET", "/connections", "connections/list-connections", get, query),
  viewer("GET", "/connections/{connectionId}", "connections/get-connection", get),
  allowed(manager("PATCH", "/connections/{connectionId}", "connections/update-connection", get, put, update), {
    sendsTo: ["webhooks"],
  }),
  manager("DELETE", "/connections/{connectionId}", "connections/delete-connection", get, put, update, remove),
  allowed(manager("POST", "/connections/{connectionId}/test", "connections/test-connection", get, query, put, update), {
    sendsTo: ["webhooks"],
    callsSlack: true,
  }),
  // Whoever presses a button there is known here by it.
  allowed(person("POST", "/slack-account", "slack/tie-slack-account", get, put), { callsSlack: true }),
  person("DELETE", "/slack-account", "slack/untie-slack-account", get, query, put, update, remove),
  {
    method: "POST",
    path: "/v1/slack/presses",
    entry: "slack/take-press",
    auth: "signature",
    access: {
      table: tableActions,
      keys: [
        "workspace",
        "people",
        "packs",
        "events",
        "planParts",
        "escalations",
        "firings",
        "grouped",
        "openEvents",
        "held",
        "statistics",
        "markers",
        "slackAccounts",
      ],
      sendsTo: ["pushes", "webhooks"],
      callsSlack: true,
      knowsBaseUrl: true,
    },
  },
  heartbeatCall("POST"),
  // For programs that can only send a GET, such as a monitor or a cron service.
  heartbeatCall("GET"),

  viewer("GET", "/event-types", "event-types/list-event-types", get, query),
  viewer("GET", "/event-types/{eventKey}", "event-types/get-event-type", get),
  viewer("GET", "/statistics", "statistics/list-statistics", get, query),
  viewer("GET", "/sites", "sites/list-sites", get, query),
];

/** Paths that programs post to: their clients send a slash at the end, which API Gateway takes for another path. */
const SLASHED: readonly string[] = ["/v1/events", "/v1/events/from/{source}", "/v1/heartbeats/{heartbeat}"];
/** The name under which a function finds what stands behind such a path. A key that ends with a slash is refused. */
export const REST = "rest";

const OPSGENIE_ALERT = "/v1/events/from/{source}/v2/{call}/{alias}";
/** How else clients of Opsgenie end an alert, call a heartbeat, and do what is refused here with a reason. */
const calledByOpsgenie = (route: Route): Route[] => [
  { ...route, method: "DELETE", path: OPSGENIE_ALERT },
  { ...route, method: "GET" },
  { ...route, method: "PUT" },
];

/** Other keys by which the API calls the function of a route. They are in no reference: docs/sources.md has them. */
export const otherKeysOf = (route: Route): Route[] => {
  if (route.path === `${OPSGENIE_ALERT}/{action}`) return calledByOpsgenie(route);
  return SLASHED.includes(route.path) ? [{ ...route, path: `${route.path}/{${REST}+}` }] : [];
};

export const otherKeys: readonly Route[] = routes.flatMap(otherKeysOf);

/** Endpoints behind a session whose function answers nothing else: it holds packages or secrets that the others start without. */
const APART: readonly string[] = ["devices/test-device", "devices/get-web-push-key"];

/** The last part of a file's name. */
const lastPart = (entry: string): string => entry.slice(entry.lastIndexOf("/") + 1);

/**
 * The name of the function that answers a route. A stack has room for 500 resources, so one function answers what only
 * reads a resource and another what changes it; what strangers reach has its own.
 */
export const functionOf = (route: Pick<Route, "entry" | "auth" | "access">): string => {
  const { entry, auth } = route;
  if (auth !== "session" || APART.includes(entry)) return lastPart(entry);
  return `${isWriting(route) ? "write" : "read"}-${entry.slice(0, entry.indexOf("/"))}`;
};

/** A function of the API, with all of its routes. */
export type ApiFunction = { name: string; access: Access; routes: readonly Route[] };

const unionOf = <Name extends string>(lists: readonly (readonly Name[] | undefined)[]): Name[] => [
  ...new Set(lists.flatMap((list) => list ?? [])),
];

/** What a function may do that answers routes with different needs. */
const accessOfAll = (all: readonly Access[]): Access => {
  const [first, ...others] = all;
  if (first === undefined) throw new Error("a function answers no route");
  if (others.length === 0) return first;
  if (all.some(({ keys }) => keys !== undefined))
    throw new Error("a function that strangers reach answers one endpoint");
  const sends = { sendsTo: unionOf(all.map(({ sendsTo }) => sendsTo)) };
  const secrets = { readsSecrets: unionOf(all.map(({ readsSecrets }) => readsSecrets)) };
  return {
    ...Object.assign({}, ...all),
    table: tableActions.filter((action) => all.some(({ table }) => table.includes(action))),
    ...(sends.sendsTo.length === 0 ? {} : sends),
    ...(secrets.readsSecrets.length === 0 ? {} : secrets),
  };
};

/** The functions of the API. */
export const apiFunctions = (of: readonly Route[]): ApiFunction[] =>
  [...Map.groupBy(of, functionOf)].map(([name, some]) => ({
    name,
    access: accessOfAll([...new Map(some.map((route) => [route.entry, route.access])).values()]),
    routes: some,
  }));

/** HEAD is GET without a body: monitors and people's programs ask so. The API asks itself, by one route for all paths. */
export const head = { path: "/v1/{path+}", below: "/v1/{path}" } as const;

const byKey = new Map([...routes, ...otherKeys].map((route) => [`${route.method} ${route.path}`, route]));

/** The file of the handler for a key under which API Gateway knows a route. */
export const entryOfKey = (key: string): string | undefined => byKey.get(key)?.entry;

/** Whether a route is for people alone, by the key under which API Gateway knows the route. */
export const isForPeople = (key: string): boolean => byKey.get(key)?.forPeople === true;

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
