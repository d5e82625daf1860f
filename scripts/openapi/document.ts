import { problems, type ProblemCode } from "../../functions/http/problem.ts";
import { routes, type Route } from "../../lib/routes.ts";
import { answerExamples, inputExamples } from "./examples.ts";
import { operations, type Operation } from "./operations.ts";
import { answerSchema, inputSchema } from "./schema.ts";
import { answers, inputs, type AnswerName, type InputName } from "./shapes.ts";

type Json = Record<string, unknown>;

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const isCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code);
const codes = Object.keys(problems).filter(isCode);

const problemSchema: Json = {
  type: "object",
  description: "RFC 9457. `message` repeats `detail`, because the gateway's own answers carry that field.",
  required: ["type", "title", "status", "detail", "code", "message", "requestId"],
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    code: { type: "string", enum: codes },
    message: { type: "string" },
    requestId: { type: "string" },
    errors: {
      type: "array",
      description: "Every fault of the input.",
      items: {
        type: "object",
        required: ["field", "code", "message"],
        properties: { field: { type: "string" }, code: { type: "string" }, message: { type: "string" } },
      },
    },
    limit: { type: "integer", description: "Events a month of the plan; with quota_exceeded." },
    used: { type: "integer", description: "Events used this month; with quota_exceeded." },
    resetAt: { type: "string", description: "When the month is over; with quota_exceeded." },
  },
};

const gatewaySchema: Json = {
  type: "object",
  description: "What the gateway answers by itself.",
  required: ["message"],
  properties: { message: { type: "string" } },
};

const bodyCodes = ["malformed_json", "body_too_large", "unsupported_media_type", "invalid_input"] as const;

/** All refusals of an endpoint: those that it names itself, and those that follow from its parts. */
export const refusalsOf = (route: Route, operation: Operation): ProblemCode[] => {
  const hasChild = (route.path.match(/\{/g) ?? []).length > 1;
  const all = new Set<ProblemCode>(["internal_error", "busy", ...(operation.refuses ?? [])]);
  if (route.auth !== "secret-path") all.add("unauthenticated");
  if (route.path.includes("{workspaceId}")) all.add("not_a_member");
  if (hasChild) all.add("not_found");
  // Receipts have a single refusal for every fault.
  if (operation.body !== undefined && route.auth !== "receipt") for (const code of bodyCodes) all.add(code);
  if (operation.query !== undefined) all.add("invalid_input");
  return codes.filter((code) => all.has(code));
};

const problemExample = (code: ProblemCode): Json => ({
  type: `urn:event-alerting:problem:${code}`,
  title: problems[code].title,
  status: problems[code].status,
  detail: problems[code].when,
  code,
  message: problems[code].when,
  requestId: "JKJaXmPLvHcESHA=",
  ...(code === "invalid_input" ? { errors: [{ field: "name", code: "required", message: "name is required." }] } : {}),
  ...(code === "quota_exceeded" ? { limit: 100_000, used: 100_000, resetAt: "2026-12-01T00:00:00.000Z" } : {}),
});

const retryAfter = {
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" } },
};
const rateLimit = {
  RateLimit: { description: "What is left of the rate, as the IETF's draft has it.", schema: { type: "string" } },
  "RateLimit-Policy": { description: "The rate of the workspace's plan.", schema: { type: "string" } },
};

const headersOf = (status: number, { entry }: Route): Json => ({
  ...(status === 429 || status === 503 ? retryAfter : {}),
  ...(entry === "events/post-event" && (status === 201 || status === 429) ? rateLimit : {}),
});

const gatewayStatuses: ReadonlySet<number> = new Set([401, 404, 413, 429, 500, 503]);

const refusalResponses = (route: Route, operation: Operation): Json => {
  const byStatus = Map.groupBy(refusalsOf(route, operation), (code) => problems[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, kinds]) => [
      status,
      {
        description: kinds.map((code) => `\`${code}\`: ${problems[code].when}`).join("\n\n"),
        headers: headersOf(status, route),
        content: {
          "application/problem+json": {
            schema: ref("Problem"),
            examples: Object.fromEntries(kinds.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
          },
          ...(gatewayStatuses.has(status) ? { "application/json": { schema: ref("GatewayError") } } : {}),
        },
      },
    ]),
  );
};

const answerContent = (shape: AnswerName | readonly [AnswerName]): Json => {
  const name = typeof shape === "string" ? shape : shape[0];
  const one = typeof shape === "string";
  const example = answerExamples[name];
  return {
    "application/json": {
      schema: one ? ref(name) : { type: "array", items: ref(name) },
      example: one ? example : [example],
    },
  };
};

const answerResponses = (route: Route, operation: Operation): Json =>
  Object.fromEntries(
    Object.entries(operation.answers).map(([status, { shape, textType, description }]) => [
      status,
      {
        description,
        headers: headersOf(Number(status), route),
        ...(shape === undefined ? {} : { content: answerContent(shape) }),
        ...(textType === undefined ? {} : { content: { [textType]: { schema: { type: "string" } } } }),
      },
    ]),
  );

const pathParameters = (route: Route): Json[] =>
  [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));

const idempotencyKey: Json = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "For retries: for 24 hours the same key gets the first answer again. With another body it is 422; while the first " +
    "request is in progress, 409.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

const securityOf = ({ auth }: Route): Json[] => {
  if (auth === "secret-path" || auth === "receipt") return [];
  return [auth === "api-key" ? { apiKey: [] } : { session: [] }];
};

/** The meaning of each resource. */
const tagDescriptions: Readonly<Record<string, string>> = {
  events: "What happened: sent by applications, looked at and resolved by people.",
  workspaces: "The unit of ownership: keys, groups, rules, events and notifications belong to one.",
  calendars: "On-call shifts for calendar programs.",
  members: "Who may see and change what a workspace has.",
  "api-keys": "What applications send events with.",
  "routing-rules": "Which events tell which groups.",
  simulate: "What would happen, drafts included, without anything happening.",
  groups: "People who are told together.",
  notifications: "What each person was told, and what became of it.",
  devices: "Where the pushes of a person go.",
  receipts: "What devices tell of pushes, without a session.",
  "on-call": "Who of a group is told now: schedules and overrides.",
  "escalation-policies": "Who is told next when nobody acknowledges.",
  silences: "What is to keep still for a while.",
  heartbeats: "Calls whose absence is an event.",
  "event-types": "The event keys that were seen, and the data that came with them.",
  sites: "The sites that events came from.",
  statistics: "How fast a team acknowledges and resolves, and whom it wakes at night.",
};

const tagOf = ({ entry }: Route): string => entry.slice(0, entry.indexOf("/"));

const tagDescription = (tag: string): string => {
  const description = tagDescriptions[tag];
  if (description === undefined) throw new Error(`scripts/openapi/document.ts does not say what ${tag} are`);
  return description;
};

const operationOf = (route: Route): Json => {
  const operation = operations[route.entry];
  if (operation === undefined) throw new Error(`scripts/openapi/operations.ts says nothing of ${route.entry}`);
  const [, name = ""] = route.entry.split("/");
  const place = routes.filter(({ entry }) => entry === route.entry).indexOf(route);
  const query = (operation.query ?? []).map(({ required, ...rest }) => ({
    ...rest,
    in: "query",
    required: required ?? false,
  }));
  const headers = route.entry === "events/post-event" ? [idempotencyKey] : [];
  return {
    // Several routes may lead to one function, but an id must be unique.
    operationId: place === 0 ? name : `${name}-${place + 1}`,
    tags: [tagOf(route)],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    security: securityOf(route),
    parameters: [...pathParameters(route), ...query, ...headers],
    ...(operation.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { "application/json": { schema: ref(operation.body), example: inputExamples[operation.body] } },
          },
        }),
    responses: { ...answerResponses(route, operation), ...refusalResponses(route, operation) },
  };
};

const inputNames = Object.keys(inputs).filter((name): name is InputName => Object.hasOwn(inputs, name));
const answerNames = Object.keys(answers).filter((name): name is AnswerName => Object.hasOwn(answers, name));

/** The OpenAPI document of the whole interface, made from the route table and the code's own schemas. */
export const openApiDocument = (version: string): Json => {
  const paths: Record<string, Json> = {};
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  const refused = new Set(
    routes.flatMap((route) => {
      const operation = operations[route.entry];
      return operation === undefined ? [] : refusalsOf(route, operation);
    }),
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "Event alerting service",
      version,
      description:
        "Receives application events, matches them against routing rules, wakes the right people and escalates until " +
        "somebody acknowledges. `POST /v1/events` and its ping are the public interface; everything under " +
        "`/v1/workspaces` serves the dashboard and the app, and may change.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "The service that serves this document." }],
    tags: [...new Set(routes.map(tagOf))].map((name) => ({ name, description: tagDescription(name) })),
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
      examples: Object.fromEntries(
        codes.filter((code) => refused.has(code)).map((code) => [code, { value: problemExample(code) }]),
      ),
      schemas: {
        Problem: problemSchema,
        GatewayError: gatewaySchema,
        ...Object.fromEntries(inputNames.map((name) => [name, inputSchema(inputs[name])])),
        ...Object.fromEntries(answerNames.map((name) => [name, answerSchema(answers[name])])),
      },
    },
  };
};
