import { describe, expect, it } from "vitest";
import { Refusal, type RefusalExtras } from "../../../core/domain/basics/refusal.ts";
import {
  replyCreated,
  createPipeline,
  type HttpHandler,
  replyNoContent,
  replyOk,
  replyText,
} from "../../../functions/http/endpoint.ts";
import { requirePage, replyList } from "../../../functions/http/pages.ts";
import { chooseNoun, parsePathIds } from "../../../functions/http/path.ts";
import { toProblem } from "../../../functions/http/problem.ts";
import { readBaseUrl, createHeartbeatUrl, createSourceUrl, toRequest } from "../../../functions/http/request.ts";
import { refuseUnknownRoute } from "../../../functions/http/route-hint.ts";
import { call } from "../../world/http.ts";
import { aRequest, resultOrFaultsOf } from "./support.ts";

const quiet = { log: { info: () => {}, warn: () => {}, error: () => {}, metric: () => {} } };
const PRIVATE = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

describe("an HTTP answer", () => {
  it.each([
    ["in JSON", replyOk({ a: 1 }), 200, { "Content-Type": "application/json", ...PRIVATE }, '{"a":1}'],
    ["about a creation", replyCreated({ a: 1 }), 201, { "Content-Type": "application/json", ...PRIVATE }, '{"a":1}'],
    ["without a body", replyNoContent(), 204, PRIVATE, ""],
    ["in another format", replyText("text/calendar", "x"), 200, { "Content-Type": "text/calendar", ...PRIVATE }, "x"],
  ])("%s may not be stored by caches, and browsers may not guess its type", (_, answer, statusCode, headers, body) => {
    expect(answer).toEqual({ statusCode, headers, body });
  });
});

describe("an HTTP refusal", () => {
  const readHeaders = (extras: RefusalExtras) => {
    const { "Content-Type": type, ...headers } = toProblem(new Refusal("busy", "No.", extras), "r").reply.headers ?? {};
    expect(type).toBe("application/problem+json");
    return headers;
  };

  it.each([
    ["no extras has no headers", {}, {}],
    ["the allowed methods has the header Allow", { allow: "GET, POST" }, { Allow: "GET, POST" }],
    ["a challenge has the header WWW-Authenticate", { challenge: "Bearer" }, { "WWW-Authenticate": "Bearer" }],
    ["a pause in seconds has the header Retry-After", { retryAfterSeconds: 7 }, { "Retry-After": "7" }],
    [
      "the rate of requests has the headers RateLimit and RateLimit-Policy",
      { rate: { burst: 60, remaining: 5, resetSeconds: 9, windowSeconds: 60 } },
      { RateLimit: '"workspace";r=5;t=9', "RateLimit-Policy": '"workspace";q=60;w=60' },
    ],
  ] as const)("with %s", (_, extras, headers) => {
    expect(readHeaders(extras as RefusalExtras)).toEqual(headers);
  });

  it("has the status of the refusal, and contains its sentence, its faults and its additional fields", () => {
    const faults = [{ field: "a", code: "invalid", message: "c" } as const];

    expect(toProblem(new Refusal("invalid_input", "No.", { faults, members: { used: 3 } }), "req-1")).toMatchObject({
      failed: false,
      reply: { status: 422, body: { detail: "No.", message: "No.", used: 3, errors: faults, requestId: "req-1" } },
    });
  });

  it.each([
    ["ThrottlingException", 503, "The service is busy. Repeat the request.", false],
    ["ProvisionedThroughputExceededException", 503, "The service is busy. Repeat the request.", false],
    ["RequestLimitExceeded", 503, "The service is busy. Repeat the request.", false],
    ["ValidationException", 500, "The service returned an error. You may repeat the request.", true],
  ])("for %s has status %i: %s", (name, status, detail, failed) => {
    const problem = toProblem(Object.assign(new Error("secret"), { name }), "r");

    expect(problem).toMatchObject({ failed, reply: { status, body: { detail } } });
    expect(problem.reply.body).not.toHaveProperty("errors");
  });
});

describe("the base URL in an answer", () => {
  const createRequest = (headers: Record<string, string>) => aRequest({ headers });

  it("is the URL at which the caller reached the service", () => {
    expect(readBaseUrl(createRequest({ host: "127.0.0.1:3000", "x-forwarded-proto": "http" }))).toBe(
      "http://127.0.0.1:3000",
    );
    expect(readBaseUrl(createRequest({ host: "a.example" }))).toBe("https://a.example");
    expect(readBaseUrl(createRequest({}))).toBe("https://localhost");
  });

  it("is the start of a tool's URL, which contains the API key, and of a heartbeat's URL, which contains a secret", () => {
    const at = createRequest({ host: "a.example" });

    expect(createSourceUrl(at, "cloudwatch", "eak_1")).toBe("https://a.example/v1/events/from/cloudwatch/eak_1");
    expect(createHeartbeatUrl(at, "call_1")).toBe("https://a.example/v1/heartbeats/call_1");
  });
});

describe("a Lambda event from API Gateway", () => {
  const minimal = { requestContext: { requestId: "r" } };

  it("is read as a request, even if most of its fields are missing", () => {
    expect(toRequest(minimal)).toEqual({
      requestId: "r",
      method: "",
      routeKey: "",
      rawPath: "",
      headers: new Map(),
      path: new Map(),
      query: new Map(),
      claims: new Map(),
      rawBody: undefined,
    });
  });

  it("has its headers in lower case, and the claims that the authorizer verified", () => {
    const request = toRequest({
      headers: { "X-Api-Key": "k" },
      body: "aGk=",
      isBase64Encoded: true,
      requestContext: { requestId: "r", http: { method: "GET" }, authorizer: { jwt: { claims: { sub: "s" } } } },
    });

    expect([request.headers.get("x-api-key"), request.method, request.claims.get("sub"), request.rawBody]).toEqual([
      "k",
      "GET",
      "s",
      { text: "aGk=", isBase64: true },
    ]);
    expect(toRequest({ requestContext: { requestId: "r", authorizer: {} } }).claims).toEqual(new Map());
    expect(toRequest({ ...minimal, body: "x" }).rawBody).toEqual({ text: "x", isBase64: false });
  });
});

describe("a path parameter", () => {
  const group = createPipeline(quiet)
    .use(parsePathIds("/groups/{groupId}"))
    .handler(async ({ groupId }) => replyOk({ groupId }));
  const eventType = createPipeline(quiet)
    .use(parsePathIds("/event-types/{eventKey}"))
    .handler(async ({ eventKey }) => replyOk({ eventKey }));
  const callHandler = async (handler: HttpHandler, path: Record<string, string>) => {
    const { status, body } = await call<{ detail?: string }>(handler, { path });
    return status === 200 ? body : [status, body.detail];
  };

  it.each([
    ["the id of a group is read", { groupId: "grp_0000000000000001" }, { groupId: "grp_0000000000000001" }],
    ["an id with the character # is refused", { groupId: "grp_1#MEMBER" }, [404, "This group does not exist."]],
    [
      "the id of an API key is refused, and the error says so",
      { groupId: "key_0000000000000001" },
      [404, "This group does not exist. The id in the path has the wrong kind: API key."],
    ],
    ["a missing id is refused", {}, [404, "This group does not exist."]],
  ])("is checked as the id of a group: %s", async (_, path, expected) => {
    expect(await callHandler(group, path as Record<string, string>)).toEqual(expected);
  });

  it.each([
    ["an event key of two parts is read", { eventKey: "order.failed" }, { eventKey: "order.failed" }],
    ["an event key of one part is refused", { eventKey: "order" }, [404, "This event type does not exist."]],
    ["a missing event key is refused", {}, [404, "This event type does not exist."]],
  ])("is checked as an event key: %s", async (_, path, expected) => {
    expect(await callHandler(eventType, path as Record<string, string>)).toEqual(expected);
  });

  it('is called "resource" in errors if the parameter has no noun of its own', () => {
    expect([chooseNoun("hb"), chooseNoun("event type"), chooseNoun("req")]).toEqual([
      "heartbeat",
      "event type",
      "resource",
    ]);
  });
});

describe("a list that continues after an entry", () => {
  const items = [{ id: "a" }, { id: "b" }, { id: "c" }];
  const replyAfter = (after?: string) =>
    resultOrFaultsOf(
      () => replyList(aRequest({ query: after === undefined ? {} : { after } }), items, ({ id }) => id).body,
    );
  const wrong = ["after invalid after must come from a Link header of this list."];

  it.each([
    ["starts with a if no entry is given", undefined, '[{"id":"a"},{"id":"b"},{"id":"c"}]'],
    ["starts with b after the entry a", "a", '[{"id":"b"},{"id":"c"}]'],
    ["is empty after the entry c", "c", "[]"],
    ["is refused if that entry is d, which is unknown", "d", wrong],
  ])("with the entries a, b and c %s", (_, after, expected) => {
    expect(replyAfter(after)).toEqual(expected);
  });

  it("is refused if that entry is unknown, whether the list is in memory or in the table", () => {
    expect(requirePage({ items })).toEqual({ items });
    expect(resultOrFaultsOf(() => requirePage("unknown"))).toEqual(wrong);
  });
});

describe("a path or method that does not exist", () => {
  const known = [
    { method: "POST", path: "/v1/events" },
    { method: "GET", path: "/v1/workspaces/{workspaceId}/events" },
    { method: "POST", path: "/v1/workspaces/{workspaceId}/groups" },
    { method: "GET", path: "/v1/workspaces/{workspaceId}/groups" },
    { method: "DELETE", path: "/v1/workspaces/{workspaceId}/groups/{groupId}" },
  ] as const;
  const NONE = "This path does not exist.";
  const SEND = `${NONE} To send events, use POST /v1/events; the API reference lists all paths.`;

  it.each([
    ["PUT", "/v1/events", "PUT is not allowed here; use POST."],
    [
      "GET",
      "/v1/events",
      "GET is not allowed here; use POST. To read events, use GET /v1/workspaces/:workspaceId/events.",
    ],
    [
      "POST",
      "/v1/workspaces/ws_1/events",
      "POST is not allowed here; use GET. To send events, use POST /v1/events with an API key.",
    ],
    ["PUT", "/v1/workspaces/ws_1/events", "PUT is not allowed here; use GET."],
    ["PATCH", "/v1/workspaces/ws_1/groups", "PATCH is not allowed here; use POST, GET."],
    ["POST", "/events", `${NONE} Did you mean /v1/events (POST)?`],
    ["POST", "/v2/events", `${NONE} Did you mean /v1/events (POST)?`],
    ["POST", "/V12/events", `${NONE} Did you mean /v1/events (POST)?`],
    ["POST", "/api/events", `${NONE} Did you mean /v1/events (POST)?`],
    ["POST", "/prod/v1/events", `${NONE} Did you mean /v1/events (POST)?`],
    ["POST", "/v1//events", `${NONE} Did you mean /v1/events (POST)?`],
    ["POST", "/v1/events/", `${NONE} Did you mean /v1/events (POST)?`],
    ["GET", "/workspaces/ws_1/groups/", `${NONE} Did you mean /v1/workspaces/ws_1/groups (POST, GET)?`],
    ["POST", "/v1/event", `${NONE} Did you mean POST /v1/events?`],
    [
      "GET",
      "/v1/workspaces/ws_1/group/grp_1",
      `${NONE} Did you mean DELETE /v1/workspaces/:workspaceId/groups/:groupId?`,
    ],
    ["GET", "/v1/workspaces/ws_1/dashboards", `${NONE} A workspace has events, groups.`],
    ["GET", "/v1/workspaces/ws_1", SEND],
    ["GET", "/v1/teams/ws_1/dashboards", SEND],
    ["GET", "/", SEND],
    ["POST", "/v1/alarms/api", SEND],
  ])("%s %s is refused with a hint", (method, path, says) => {
    const { kind, message, extras } = refuseUnknownRoute(method, path, known);
    const isMethod = says.includes("is not allowed here");

    expect(message).toBe(says);
    expect(kind).toBe(isMethod ? "method_not_allowed" : "unknown_path");
    expect(extras.allow).toBe(isMethod ? /; use (.*?)\./.exec(says)![1] : undefined);
  });
});
