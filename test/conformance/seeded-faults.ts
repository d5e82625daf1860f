import type { Answer } from "../world/http.ts";
import type { Fault } from "../world/serve.ts";

type Body = Record<string, unknown>;
type Seeded = { section: string; fault: Fault };

const isObject = (value: unknown): value is Body =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Changes the bodies of successful answers to these requests; in a list, each item. */
const inBodies = (method: string, path: RegExp, change: (body: Body) => Body): Fault => ({
  answer: (request, answer) => {
    if (request.method !== method || !path.test(request.path) || answer.status >= 300) return answer;
    const { body } = answer;
    if (Array.isArray(body))
      return { ...answer, body: body.map((one: unknown) => (isObject(one) ? change(one) : one)) };
    return isObject(body) ? { ...answer, body: change(body) } : answer;
  },
});

const inAnswers = (change: (answer: Answer<unknown>) => Answer<unknown>): Fault => ({
  answer: (_, answer) => change(answer),
});

const memberOf: Readonly<Record<string, string>> = { ws_acme: "session.of.Alice", ws_globex: "session.of.Grace" };
const memberFor = (path: string): string | undefined => memberOf[path.split("/")[3] ?? ""];

const without = (field: string) => (body: Body) => {
  const { [field]: _, ...rest } = body;
  return rest;
};

let acknowledgements = 0;

/** Faults that a service could have, and the section whose checks must notice each. */
export const seededFaults: Readonly<Record<string, Seeded>> = {
  "200 instead of 201 for a new event": {
    section: "POST /v1/events",
    fault: {
      answer: ({ path }, answer) =>
        path === "/v1/events" && answer.status === 201 ? { ...answer, status: 200 } : answer,
    },
  },
  "counts in the answer to an event that are not 0": {
    section: "POST /v1/events",
    fault: inBodies("POST", /^\/v1\/events$/, (body) => ({ ...body, matchedRules: 1 })),
  },
  "a duplicate that does not say so": {
    section: "Deduplication",
    fault: inBodies("POST", /^\/v1\/events$/, without("deduplicated")),
  },
  "a hash of the key in the list of API keys": {
    section: "API keys",
    fault: inBodies("GET", /\/api-keys$/, (body) => ({ ...body, hash: "00ff" })),
  },
  "the token in the list of devices": {
    section: "Devices",
    fault: inBodies("GET", /\/devices$/, (body) => ({ ...body, token: "x" })),
  },
  "no check of membership": {
    section: "Authentication: sessions",
    fault: { ask: ({ path, token }) => ({ token: token === undefined ? token : (memberFor(path) ?? token) }) },
  },
  "no check of the token": {
    section: "Authentication: sessions",
    fault: { ask: ({ path, token }) => ({ token: token?.startsWith("session.") === true ? token : memberFor(path) }) },
  },
  "403 instead of 404 for what is foreign or unknown": {
    section: "Groups",
    fault: inAnswers((answer) => (answer.status === 404 ? { ...answer, status: 403 } : answer)),
  },
  "a deletion that answers 200": {
    section: "Routing rules: list, change, delete",
    fault: inAnswers((answer) => (answer.status === 204 ? { ...answer, status: 200, body: {} } : answer)),
  },
  "a total that is one too high": {
    section: "GET events",
    fault: inBodies("GET", /\/events$/, (body) => ({ ...body, total: Number(body["total"]) + 1 })),
  },
  "the oldest event first": {
    section: "GET events",
    fault: inBodies("GET", /\/events$/, (body) => ({ ...body, items: [body["items"]].flat().toReversed() })),
  },
  "only the first fault of several": {
    section: "Errors",
    fault: inAnswers((answer) =>
      isObject(answer.body) && Array.isArray(answer.body["errors"])
        ? { ...answer, body: { ...answer.body, errors: answer.body["errors"].slice(0, 1) } }
        : answer,
    ),
  },
  "a problem that is plain JSON": {
    section: "Errors",
    fault: inAnswers((answer) =>
      answer.status >= 400 ? { ...answer, headers: { ...answer.headers, "Content-Type": "application/json" } } : answer,
    ),
  },
  "429 without Retry-After": {
    section: "Quota and rate limit",
    fault: inAnswers((answer) =>
      answer.status === 429 ? { ...answer, headers: { "Content-Type": "application/problem+json" } } : answer,
    ),
  },
  "an acknowledgement whose time changes": {
    section: "Acknowledging",
    fault: inBodies("PATCH", /\/notifications\//, (body) => {
      acknowledgements += 1;
      return { ...body, acknowledgedAt: new Date(acknowledgements * 1000).toISOString() };
    }),
  },
  "a rule that needs an acknowledgement by default": {
    section: "Routing rules: create",
    fault: inBodies("POST", /\/routing-rules$/, (body) => ({ ...body, requiresAck: true })),
  },
  "a changed rule that is shown by halves": {
    section: "Routing rules: list, change, delete",
    fault: inBodies("PATCH", /\/routing-rules\//, without("targets")),
  },
  "CRITICAL shown as it was sent": {
    section: "Events: priority",
    fault: inBodies("GET", /\/events\//, (body) => ({
      ...body,
      priority: body["priority"] === "URGENT" ? "CRITICAL" : body["priority"],
    })),
  },
  "somebody else on call": {
    section: "On-call",
    fault: inBodies("GET", /\/on-call\/now$/, (body) => ({ ...body, onCall: [] })),
  },
  "a condition that always holds": {
    section: "Conditions",
    fault: inBodies("POST", /\/routing-rules\/test$/, (body) => ({
      ...body,
      rules: [body["rules"]].flat().map((rule) => (isObject(rule) ? { ...rule, matches: true } : rule)),
    })),
  },
  "a notice that does not say why it came": {
    section: "Notices of the service",
    fault: inBodies("GET", /\/events\/evt_\w+$/, (body) => ({ ...body, notice: null })),
  },
  "a shadow that notifies people": {
    section: "Workspaces and members",
    fault: inBodies("GET", /\/events\/evt_\w+$/, (body) => ({
      ...body,
      notifications: [body["notifications"]].flat().map((one) => (isObject(one) ? { ...one, status: "SENT" } : one)),
    })),
  },
  "a probe that proves what it has not reached": {
    section: "Probes",
    fault: inBodies("GET", /\/probes$/, (body) => ({
      ...body,
      links: isObject(body["links"]) ? { ...body["links"], confirmed: body["links"]["accepted"] } : body["links"],
    })),
  },
  "an ETag that stays the same when the thing is changed": {
    section: "Concurrent edits",
    fault: inAnswers((answer) =>
      "ETag" in answer.headers ? { ...answer, headers: { ...answer.headers, ETag: '"1"' } } : answer,
    ),
  },
};
