import * as v from "valibot";
import { EVENT_KEY_MAX_CODE_POINTS, NAME_MAX_CODE_POINTS } from "./limits.ts";

const EXACT = /^[a-z0-9_]+\.[a-z0-9_]+$/u;
const RESERVED = "service.";

/** Returns whether the key is reserved for the service's own events. */
export const isReservedEventKey = (key: string): boolean => key.startsWith(RESERVED);

const reserved = v.check(
  (key: string) => !isReservedEventKey(key),
  `The prefix ${RESERVED} is reserved: choose another resource.`,
);
const shortMessage = `An event key has at most ${EVENT_KEY_MAX_CODE_POINTS} characters.`;

const exactMessage =
  "An event key must be resource.action in lowercase letters, digits and underscores, such as booking.created.";

/** Suggests `order_payment.failed` for `Order-Payment.Failed`, and `a.b_c` for `a.b.c`; undefined if no valid key results. */
export const suggestEventKey = (text: string): string | undefined => {
  const [resource = "", ...rest] = text
    .trim()
    .toLowerCase()
    .split(/[./:]+/)
    .map((part) => part.replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, ""))
    .filter((part) => part !== "");
  const meant = `${resource}.${rest.join("_")}`;
  return EXACT.test(meant) && !isReservedEventKey(meant) ? meant : undefined;
};

export const EventKey = v.pipe(
  v.string(exactMessage),
  v.maxCodePoints(EVENT_KEY_MAX_CODE_POINTS, shortMessage),
  v.regex(EXACT, ({ input }) => {
    const meant = suggestEventKey(input);
    return meant === undefined ? exactMessage : `${exactMessage} Did you mean ${meant}?`;
  }),
  reserved,
);
export type EventKey = v.InferOutput<typeof EventKey>;

const HEARTBEAT = "heartbeat.";

/** The part of an event key before the dot, if a sender may use it. */
export const Resource = v.pipe(
  v.string("resource must be a string."),
  v.maxCodePoints(NAME_MAX_CODE_POINTS, `resource must have at most ${NAME_MAX_CODE_POINTS} characters.`),
  v.regex(/^[a-z0-9_]+$/u, "resource must be lowercase letters, digits and underscores, such as datadog."),
  v.check(
    (resource) => ![RESERVED, HEARTBEAT].includes(`${resource}.`),
    "resource must not be service or heartbeat: they are reserved.",
  ),
);

/** The event key of a sent event. Only the service sends heartbeat events, but rules may match them. */
export const SentEventKey = v.pipe(
  EventKey,
  v.check(
    (key) => !key.startsWith(HEARTBEAT),
    `The prefix ${HEARTBEAT} is reserved for missed heartbeats: choose another resource.`,
  ),
);

const patternMessage = "A pattern is an exact event key such as booking.created, a prefix such as booking.*, or *.";

/** A pattern that filters by event key: an exact key, `resource.*`, or `*`. Event keys of the service are allowed. */
export const EventKeyFilter = v.pipe(
  v.string(patternMessage),
  v.maxCodePoints(EVENT_KEY_MAX_CODE_POINTS, shortMessage),
  v.regex(/^(?:\*|[a-z0-9_]+\.(?:\*|[a-z0-9_]+))$/u, patternMessage),
);

export const EventKeyPattern = v.pipe(EventKeyFilter, reserved);
export type EventKeyPattern = v.InferOutput<typeof EventKeyPattern>;

export type PatternKind = { kind: "all" } | { kind: "resource"; resource: string } | { kind: "exact"; key: string };

/** Returns what the pattern matches: every key (`*`), the keys of a resource (`booking.*`), or exactly one key. */
export const parseEventKeyPattern = (pattern: string): PatternKind => {
  if (pattern === "*") return { kind: "all" };
  if (pattern.endsWith(".*")) return { kind: "resource", resource: pattern.slice(0, -2) };
  return { kind: "exact", key: pattern };
};

/** Returns the key's part before the first dot, such as `booking` of `booking.created`. */
export const parseResource = (eventKey: string): string => {
  const dot = eventKey.indexOf(".");
  return dot < 0 ? eventKey : eventKey.slice(0, dot);
};

export const matchesEventKey = (pattern: string, eventKey: string): boolean => {
  if (pattern === "*") return true;
  if (pattern.endsWith(".*")) return eventKey.startsWith(pattern.slice(0, -1));
  return pattern === eventKey;
};
