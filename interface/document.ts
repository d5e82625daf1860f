import { problemCodes, problems, type ProblemCode } from "./problems.ts";
import { routes, type Route } from "./routes.ts";
import { findBodySchema, listPathParameters, type QueryParameter } from "./contract.ts";
import { listComponentSchemas, toReference } from "./components.ts";
import { type AnswerName, findBodySchemaName } from "./shapes.ts";

type Json = Record<string, unknown>;

const acceptsIfMatch = ({ versioned, method }: Route): boolean =>
  versioned === true && method !== "GET" && method !== "POST";

const bodyCodes = ["malformed_json", "body_too_large", "unsupported_media_type", "invalid_input"] as const;

/** Lists all refusals of an endpoint: from its contract, and from its path, body and role. */
const listRefusals = (route: Route): ProblemCode[] => {
  const hasChild = (route.path.match(/\{/g) ?? []).length > 1;
  const all = new Set<ProblemCode>(["internal_error", "busy", ...(route.refuses ?? [])]);
  if (route.auth !== "secret-path") all.add("unauthenticated");
  if (route.path.includes("{workspaceId}")) all.add("not_a_member");
  // The role viewer cannot be missing, because every member has at least this role.
  if (route.role !== undefined && route.role !== "viewer") all.add("role_required");
  if (route.forPeople === true) all.add("people_only");
  if (hasChild) all.add("not_found");
  // An invalid receipt gets the refusal `unauthenticated`, not a refusal of the body.
  if (findBodySchema(route) !== undefined && route.auth !== "receipt") for (const code of bodyCodes) all.add(code);
  if (route.query !== undefined || acceptsIfMatch(route)) all.add("invalid_input");
  if (acceptsIfMatch(route)) all.add("changed_meanwhile");
  return problemCodes.filter((code) => all.has(code));
};

const headers: Json = {
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" } },
  RateLimit: {
    description: "The requests left within the rate limit, in the format of the IETF draft.",
    schema: { type: "string" },
  },
  "RateLimit-Policy": { description: "The rate limit of the workspace's plan.", schema: { type: "string" } },
  ETag: { description: "The version of the resource, for `If-Match`.", schema: { type: "string" } },
};

/** Returns the status for a code. Failures of the service share the status 5XX, because they differ only in their codes. */
const toStatus = (code: ProblemCode): string => (problems[code].status >= 500 ? "5XX" : String(problems[code].status));

const listHeaderNames = (status: string, route: Route): string[] => [
  ...(["200", "201"].includes(status) && route.versioned === true ? ["ETag"] : []),
  ...(["429", "5XX"].includes(status) ? ["Retry-After"] : []),
  ...(["201", "429"].includes(status) && route.entry === "events/post-event" ? ["RateLimit", "RateLimit-Policy"] : []),
];

const createHeaderReferences = (status: string, route: Route): { headers?: Json } => {
  const names = listHeaderNames(status, route);
  if (names.length === 0) return {};
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) };
};

const gatewayStatuses: ReadonlySet<string> = new Set(["401", "404", "413", "429", "5XX"]);

/** Groups an endpoint's refusals by status. Refusals with the same reasons share a name. */
const groupRefusals = (route: Route) =>
  [...Map.groupBy(listRefusals(route), toStatus)].map(([status, kinds]) => {
    const shown = createHeaderReferences(status, route);
    // Only the endpoint for events returns RateLimit.
    const reasons = `${kinds.join("_or_")}${"RateLimit" in (shown.headers ?? {}) ? "_with_rate" : ""}`;
    return { status, kinds, shown, reasons };
  });
type RefusalGroup = ReturnType<typeof groupRefusals>[number];

const documented = routes.map((route) => ({ route, refusals: groupRefusals(route) }));

/** For each status, the combination of reasons that most endpoints share. */
const mostFrequentReasons: ReadonlySet<string> = new Set(
  [
    ...Map.groupBy(
      documented.flatMap(({ refusals }) => refusals),
      ({ status }) => status,
    ).values(),
  ].flatMap((some) => {
    const alike = [...Map.groupBy(some, ({ reasons }) => reasons).values()];
    return alike.reduce((most, one) => (one.length > most.length ? one : most))[0]?.reasons ?? [];
  }),
);

/** Names the document's component for a refusal: `404`, or its reasons if they are not the usual ones of that status. */
const nameResponseComponent = ({ status, reasons }: RefusalGroup): string =>
  mostFrequentReasons.has(reasons) ? status : reasons;

const createRefusalResponse = ({ status, kinds, shown: response }: RefusalGroup): Json => ({
  description: kinds.map((code) => `\`${code}\`: ${problems[code].when}`).join("\n\n"),
  ...response,
  content: {
    "application/problem+json": { schema: toReference("Problem") },
    ...(gatewayStatuses.has(status) ? { "application/json": { schema: toReference("GatewayError") } } : {}),
  },
});

const createContent = (shape: AnswerName | readonly [AnswerName]): Json => {
  const schema = typeof shape === "string" ? toReference(shape) : { type: "array", items: toReference(shape[0]) };
  return { "application/json": { schema } };
};

const usually: Readonly<Record<string, string>> = { 200: "The current state.", 201: "Created.", 204: "Deleted." };

const createResponses = (route: Route): Json =>
  Object.fromEntries(
    Object.entries(route.answers).map(([status, { shape, textType, description = usually[status] }]) => [
      status,
      {
        description,
        ...createHeaderReferences(status, route),
        ...(shape === undefined ? {} : { content: createContent(shape) }),
        ...(textType === undefined ? {} : { content: { [textType]: { schema: { type: "string" } } } }),
      },
    ]),
  );

const toParameterReference = (name: string): Json => ({ $ref: `#/components/parameters/${name}` });
const toQueryParameter = ({ required = false, ...rest }: QueryParameter): Json => ({ ...rest, in: "query", required });

const shared: ReadonlySet<QueryParameter> = new Set(
  [...new Map(routes.map((route) => [route.entry, route])).values()]
    .flatMap(({ query = [] }) => query)
    .filter((one, index, taken) => taken.indexOf(one) !== index),
);

const toPathParameter = (name: string): Json => ({ name, in: "path", required: true, schema: { type: "string" } });

const idempotencyKey: Json = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "For 24 hours, a retry with the same key gets the first answer; 422 with another body, 409 while the first request is in progress.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

const ifMatch: Json = {
  name: "If-Match",
  in: "header",
  description:
    "The `ETag` of the version that you read. If the resource was changed since, the answer is 412. Without this header, your change overwrites others.",
  schema: { type: "string" },
};

const createSecurity = ({ auth }: Route): Json => {
  if (auth === "session") return {};
  return { security: auth === "api-key" ? [{ apiKey: [] }] : [] };
};

const describeCallers = ({ auth, role }: Route): string => {
  switch (auth) {
    case "api-key":
      return "Requires an API key.";
    case "session":
      if (role === undefined) return "For everybody who is signed in.";
      return role === "viewer" ? "For any member." : `Requires the role ${role}.`;
    case "secret-path":
      return "The path contains the required secret.";
    case "receipt":
      return "The body contains the required proof.";
    case "signature":
      return "The headers contain the required signature.";
  }
};

const tagDescriptions: Readonly<Record<string, string>> = {
  events: "Messages that applications send, and that people view, acknowledge and resolve.",
  workspaces: "The unit of ownership: keys, groups, rules, events and notifications belong to a workspace.",
  calendars: "On-call shifts for calendar programs.",
  members: "Who may see and change a workspace.",
  invitations: "Who is invited to a workspace, by email address.",
  "api-keys": "Keys with which applications send events.",
  "routing-rules": "Which groups are notified of which events.",
  simulate: "Whom an event would notify, also with drafts of rules; nothing is stored or sent.",
  groups: "People who are notified together.",
  notifications: "What each person was notified of, and the outcome.",
  devices: "A person's devices, email addresses and phone numbers.",
  "notification-rules": "By which channels a person is notified, and when.",
  receipts: "What devices report about pushes, without a session.",
  "on-call": "Who in a group is on call: schedules and overrides.",
  "on-call-report": "The on-call load of each person: hours, pages, rests and pay.",
  covers: "Shifts that a colleague agrees to take over.",
  "escalation-policies": "Who is notified next if nobody acknowledges.",
  silences: "Times in which matching events notify nobody.",
  heartbeats: "Expected calls: a missing call creates an event.",
  webhooks: "Your own URLs that receive changes of events.",
  connections: "Slack and Teams channels, linked to rules or groups.",
  slack: "Requests from Slack, and Slack accounts of members.",
  "event-types": "The event keys that were seen, and the data that came with them.",
  sites: "The sites that events name as `data.site`.",
  audit: "Who changed the configuration, when and how.",
  statistics: "How fast a team acknowledges and resolves, and whom alerts page at night.",
};

const toResourceTag = ({ entry }: Route): string => entry.slice(0, entry.indexOf("/"));

const describeTag = (tag: string): string => {
  const description = tagDescriptions[tag];
  if (description === undefined) throw new Error(`interface/document.ts has no description of the tag ${tag}`);
  return description;
};

const describeOperation = ({ route, refusals }: (typeof documented)[number]): Json => {
  const [, name = ""] = route.entry.split("/");
  const body = findBodySchema(route);
  const nth = routes.filter(({ entry }) => entry === route.entry).indexOf(route);
  const queryParameters = (route.query ?? []).map((one) =>
    shared.has(one) ? toParameterReference(one.name) : toQueryParameter(one),
  );
  const headers = [
    ...(route.entry === "events/post-event" ? [idempotencyKey] : []),
    ...(acceptsIfMatch(route) ? [toParameterReference("If-Match")] : []),
  ];
  return {
    // An operation may have several routes, but an operationId must be unique.
    operationId: nth === 0 ? name : `${name}-${nth + 1}`,
    tags: [toResourceTag(route)],
    summary: route.summary,
    description: nth === 0 ? [route.description ?? [], describeCallers(route)].flat().join(" ") : `As \`${name}\`.`,
    ...createSecurity(route),
    ...(queryParameters.length + headers.length === 0 ? {} : { parameters: [...queryParameters, ...headers] }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: Object.fromEntries(
              [["application/json", body] as const, ...(route.otherBodies ?? [])].map(([type, schema]) => [
                type,
                { schema: toReference(findBodySchemaName(schema)) },
              ]),
            ),
          },
        }),
    responses: {
      ...createResponses(route),
      ...Object.fromEntries(
        refusals.map((refusal) => [
          refusal.status,
          { $ref: `#/components/responses/${nameResponseComponent(refusal)}` },
        ]),
      ),
    },
  };
};

/** Returns the OpenAPI document of the API, from the routes and the schemas. `examples`: an example of each schema, by name. */
export const createDocument = (version: string, examples: Json): Json => {
  const paths: Record<string, Json> = {};
  for (const one of documented) {
    const { route } = one;
    const parameters = listPathParameters(route.path).map(toParameterReference);
    paths[route.path] ??= parameters.length === 0 ? {} : { parameters };
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describeOperation(one) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Event alerting service",
      version,
      description:
        "Receives application events, matches them against routing rules, notifies the right people and escalates until " +
        "somebody acknowledges. `POST /v1/events` and `GET /v1/events/ping` are the public interface; everything under " +
        "`/v1/workspaces` serves the dashboard and the app, and may change. If a resource has no version, the `ETag` of its GET is a hash. A GET with this hash in `If-None-Match` is answered 304 while nothing has changed.",
      contact: { name: "The operator of the service that serves this document" },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    security: [{ session: [] }],
    servers: [{ url: "/", description: "The service that serves this document." }],
    tags: [...new Set(routes.map(toResourceTag))].map((name) => ({ name, description: describeTag(name) })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "X-Api-Key", description: "A key of one workspace." },
        session: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "An access token of the sign-in pool. The caller must be a member of the workspace in the path.",
        },
      },
      headers,
      parameters: {
        "If-Match": ifMatch,
        ...Object.fromEntries([...shared].map((one) => [one.name, toQueryParameter(one)])),
        ...Object.fromEntries(
          routes.flatMap(({ path }) => listPathParameters(path)).map((name) => [name, toPathParameter(name)]),
        ),
      },
      responses: Object.fromEntries(
        documented.flatMap(({ refusals }) =>
          refusals.map((refusal) => [nameResponseComponent(refusal), createRefusalResponse(refusal)]),
        ),
      ),
      schemas: listComponentSchemas(examples),
    },
  };
};
