import type { Answer } from "../world/http.ts";
import type { Fault } from "../world/serve.ts";

type Body = Record<string, unknown>;
type Seeded = { section: string; fault: Fault };

const isObject = (value: unknown): value is Body =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Changes the bodies of successful answers to these requests, and in a list the body of each item. */
const changeBodies = (method: string, path: RegExp, change: (body: Body) => Body): Fault => ({
  answer: (request, answer) => {
    if (request.method !== method || !path.test(request.path) || answer.status >= 300) return answer;
    const { body } = answer;
    if (Array.isArray(body))
      return { ...answer, body: body.map((one: unknown) => (isObject(one) ? change(one) : one)) };
    return isObject(body) ? { ...answer, body: change(body) } : answer;
  },
});

const changeAnswers = (change: (answer: Answer<unknown>) => Answer<unknown>): Fault => ({
  answer: (_, answer) => change(answer),
});

const memberOf: Readonly<Record<string, string>> = { ws_acme: "session.of.Alice", ws_globex: "session.of.Grace" };
const findMemberList = (path: string): string | undefined => memberOf[path.split("/")[3] ?? ""];

const removeField = (field: string) => (body: Body) => {
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
    fault: changeBodies("POST", /^\/v1\/events$/, (body) => ({ ...body, matchedRules: 1 })),
  },
  "a duplicate that does not say so": {
    section: "Deduplication",
    fault: changeBodies("POST", /^\/v1\/events$/, removeField("deduplicated")),
  },
  "a hash of the key in the list of API keys": {
    section: "API keys",
    fault: changeBodies("GET", /\/api-keys$/, (body) => ({ ...body, hash: "00ff" })),
  },
  "the token in the list of devices": {
    section: "Devices",
    fault: changeBodies("GET", /\/devices$/, (body) => ({ ...body, token: "x" })),
  },
  "no check of membership": {
    section: "Authentication: sessions",
    fault: { ask: ({ path, token }) => ({ token: token === undefined ? token : (findMemberList(path) ?? token) }) },
  },
  "no check of the token": {
    section: "Authentication: sessions",
    fault: {
      ask: ({ path, token }) => ({ token: token?.startsWith("session.") === true ? token : findMemberList(path) }),
    },
  },
  "403 instead of 404 for what is foreign or unknown": {
    section: "Groups",
    fault: changeAnswers((answer) => (answer.status === 404 ? { ...answer, status: 403 } : answer)),
  },
  "a deletion that answers 200": {
    section: "Routing rules: list, change, delete",
    fault: changeAnswers((answer) => (answer.status === 204 ? { ...answer, status: 200, body: {} } : answer)),
  },
  "a total that is one too high": {
    section: "GET events",
    fault: changeBodies("GET", /\/events$/, (body) => ({ ...body, total: Number(body["total"]) + 1 })),
  },
  "the oldest event first": {
    section: "GET events",
    fault: changeBodies("GET", /\/events$/, (body) => ({ ...body, items: [body["items"]].flat().toReversed() })),
  },
  "only the first fault of several": {
    section: "Errors",
    fault: changeAnswers((answer) =>
      isObject(answer.body) && Array.isArray(answer.body["errors"])
        ? { ...answer, body: { ...answer.body, errors: answer.body["errors"].slice(0, 1) } }
        : answer,
    ),
  },
  "a problem that is plain JSON": {
    section: "Errors",
    fault: changeAnswers((answer) =>
      answer.status >= 400 ? { ...answer, headers: { ...answer.headers, "Content-Type": "application/json" } } : answer,
    ),
  },
  "429 without Retry-After": {
    section: "Quota and rate limit",
    fault: changeAnswers((answer) =>
      answer.status === 429 ? { ...answer, headers: { "Content-Type": "application/problem+json" } } : answer,
    ),
  },
  "an acknowledgement whose time changes": {
    section: "Acknowledging",
    fault: changeBodies("PATCH", /\/notifications\//, (body) => {
      acknowledgements += 1;
      return { ...body, acknowledgedAt: new Date(acknowledgements * 1000).toISOString() };
    }),
  },
  "a rule that needs an acknowledgement by default": {
    section: "Routing rules: create",
    fault: changeBodies("POST", /\/routing-rules$/, (body) => ({ ...body, requiresAck: true })),
  },
  "a changed rule that is shown by halves": {
    section: "Routing rules: list, change, delete",
    fault: changeBodies("PATCH", /\/routing-rules\//, removeField("targets")),
  },
  "CRITICAL shown as it was sent": {
    section: "Events: priority",
    fault: changeBodies("GET", /\/events\//, (body) => ({
      ...body,
      priority: body["priority"] === "URGENT" ? "CRITICAL" : body["priority"],
    })),
  },
  "somebody else on call": {
    section: "On-call",
    fault: changeBodies("GET", /\/on-call\/now$/, (body) => ({ ...body, onCall: [] })),
  },
  "a condition that always holds": {
    section: "Conditions",
    fault: changeBodies("POST", /\/routing-rules\/test$/, (body) => ({
      ...body,
      rules: [body["rules"]].flat().map((rule) => (isObject(rule) ? { ...rule, matches: true } : rule)),
    })),
  },
  "a notice that does not say why it came": {
    section: "Notices of the service",
    fault: changeBodies("GET", /\/events\/evt_\w+$/, (body) => ({ ...body, notice: null })),
  },
  "a shadow that notifies people": {
    section: "Workspaces and members",
    fault: changeBodies("GET", /\/events\/evt_\w+$/, (body) => ({
      ...body,
      notifications: [body["notifications"]].flat().map((one) => (isObject(one) ? { ...one, status: "SENT" } : one)),
    })),
  },
  "a probe that proves what it has not reached": {
    section: "Probes",
    fault: changeBodies("GET", /\/probes$/, (body) => ({
      ...body,
      links: isObject(body["links"]) ? { ...body["links"], confirmed: body["links"]["accepted"] } : body["links"],
    })),
  },
  "an ETag that stays the same when the thing is changed": {
    section: "Concurrent edits",
    fault: changeAnswers((answer) =>
      "ETag" in answer.headers ? { ...answer, headers: { ...answer.headers, ETag: '"1"' } } : answer,
    ),
  },
};
