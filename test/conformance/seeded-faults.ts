import type { Answer } from "../world/http.ts";
import type { Fault } from "../world/serve.ts";

type Body = Record<string, unknown>;
type Seeded = { what: string; sections: readonly string[]; fault: Fault };

const isObject = (value: unknown): value is Body =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Changes the bodies of successful answers to such requests; in a list, each item. */
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

/** Faults that a service could have, and the sections whose checks must notice them. */
export const seededFaults: readonly Seeded[] = [
  {
    what: "200 instead of 201 for a new event",
    sections: ["POST /v1/events"],
    fault: {
      answer: ({ path }, answer) =>
        path === "/v1/events" && answer.status === 201 ? { ...answer, status: 200 } : answer,
    },
  },
  {
    what: "counts in the answer to an event that are not 0",
    sections: ["POST /v1/events"],
    fault: inBodies("POST", /^\/v1\/events$/, (body) => ({ ...body, matchedRules: 1 })),
  },
  {
    what: "a duplicate that does not say so",
    sections: ["Deduplication"],
    fault: inBodies("POST", /^\/v1\/events$/, without("deduplicated")),
  },
  {
    what: "a hash of the key in the list of API keys",
    sections: ["API keys"],
    fault: inBodies("GET", /\/api-keys$/, (body) => ({ ...body, hash: "00ff" })),
  },
  {
    what: "the token in the list of devices",
    sections: ["Devices"],
    fault: inBodies("GET", /\/devices$/, (body) => ({ ...body, token: "x" })),
  },
  {
    what: "no check of membership",
    sections: ["Authentication: sessions"],
    fault: { ask: ({ path, token }) => ({ token: token === undefined ? token : (memberFor(path) ?? token) }) },
  },
  {
    what: "no check of the token",
    sections: ["Authentication: sessions"],
    fault: { ask: ({ path, token }) => ({ token: token?.startsWith("session.") === true ? token : memberFor(path) }) },
  },
  {
    what: "403 instead of 404 for what is foreign or unknown",
    sections: ["Groups"],
    fault: inAnswers((answer) => (answer.status === 404 ? { ...answer, status: 403 } : answer)),
  },
  {
    what: "a deletion that answers 200",
    sections: ["Routing rules: list, change, delete"],
    fault: inAnswers((answer) => (answer.status === 204 ? { ...answer, status: 200, body: {} } : answer)),
  },
  {
    what: "a total that is one too high",
    sections: ["GET events"],
    fault: inBodies("GET", /\/events$/, (body) => ({ ...body, total: Number(body["total"]) + 1 })),
  },
  {
    what: "the oldest event first",
    sections: ["GET events"],
    fault: inBodies("GET", /\/events$/, (body) => ({ ...body, items: [body["items"]].flat().toReversed() })),
  },
  {
    what: "only the first fault of several",
    sections: ["Errors"],
    fault: inAnswers((answer) =>
      isObject(answer.body) && Array.isArray(answer.body["errors"])
        ? { ...answer, body: { ...answer.body, errors: answer.body["errors"].slice(0, 1) } }
        : answer,
    ),
  },
  {
    what: "a problem that is plain JSON",
    sections: ["Errors"],
    fault: inAnswers((answer) =>
      answer.status >= 400 ? { ...answer, headers: { ...answer.headers, "Content-Type": "application/json" } } : answer,
    ),
  },
  {
    what: "429 without Retry-After",
    sections: ["Quota and rate limit"],
    fault: inAnswers((answer) =>
      answer.status === 429 ? { ...answer, headers: { "Content-Type": "application/problem+json" } } : answer,
    ),
  },
  {
    what: "an acknowledgement whose time changes",
    sections: ["Acknowledging"],
    fault: inBodies("PATCH", /\/notifications\//, (body) => {
      acknowledgements += 1;
      return { ...body, acknowledgedAt: new Date(acknowledgements * 1000).toISOString() };
    }),
  },
  {
    what: "a rule that needs an acknowledgement by default",
    sections: ["Routing rules: create"],
    fault: inBodies("POST", /\/routing-rules$/, (body) => ({ ...body, requiresAck: true })),
  },
  {
    what: "a changed rule that is shown by halves",
    sections: ["Routing rules: list, change, delete"],
    fault: inBodies("PATCH", /\/routing-rules\//, without("targets")),
  },
  {
    what: "CRITICAL shown as it was sent",
    sections: ["Events: priority"],
    fault: inBodies("GET", /\/events\//, (body) => ({
      ...body,
      priority: body["priority"] === "URGENT" ? "CRITICAL" : body["priority"],
    })),
  },
  {
    what: "somebody else on call",
    sections: ["On-call"],
    fault: inBodies("GET", /\/on-call\/now$/, (body) => ({ ...body, onCall: [] })),
  },
  {
    what: "a condition that always holds",
    sections: ["Conditions"],
    fault: inBodies("POST", /\/routing-rules\/test$/, (body) => ({
      ...body,
      rules: [body["rules"]].flat().map((rule) => (isObject(rule) ? { ...rule, matches: true } : rule)),
    })),
  },
  {
    what: "a notice that does not say why it came",
    sections: ["Notices of the service"],
    fault: inBodies("GET", /\/events\/evt_\w+$/, (body) => ({ ...body, notice: null })),
  },
  {
    what: "an ETag that stays the same when the thing is changed",
    sections: ["Two people edit"],
    fault: inAnswers((answer) =>
      "ETag" in answer.headers ? { ...answer, headers: { ...answer.headers, ETag: '"1"' } } : answer,
    ),
  },
];
