import * as v from "valibot";
import { EVENT_KEY_MAX_CODE_POINTS } from "../basics/limits.ts";

const EXACT = /^[a-z0-9_]+\.[a-z0-9_]+$/u;
const RESERVED = "service.";

const reserved = v.check(
  (key: string) => !key.startsWith(RESERVED),
  `The prefix ${RESERVED} is reserved: choose another resource.`,
);
const shortMessage = `An event key has at most ${EVENT_KEY_MAX_CODE_POINTS} characters.`;

const exactMessage =
  "An event key is resource.action in lowercase letters, digits and underscores, such as booking.created.";

/** The key of an event: `resource.action`. */
export const EventKey = v.pipe(
  v.string(exactMessage),
  v.maxCodePoints(EVENT_KEY_MAX_CODE_POINTS, shortMessage),
  v.regex(EXACT, exactMessage),
  reserved,
);
export type EventKey = v.InferOutput<typeof EventKey>;

const patternMessage = "A pattern is an exact event key such as booking.created, a prefix such as booking.*, or *.";

/** The pattern that a rule names: an exact key, `resource.*`, or `*`. */
export const EventKeyPattern = v.pipe(
  v.string(patternMessage),
  v.maxCodePoints(EVENT_KEY_MAX_CODE_POINTS, shortMessage),
  v.regex(/^(?:\*|[a-z0-9_]+\.(?:\*|[a-z0-9_]+))$/u, patternMessage),
  reserved,
);
export type EventKeyPattern = v.InferOutput<typeof EventKeyPattern>;

export type PatternKind = { kind: "all" } | { kind: "resource"; resource: string } | { kind: "exact"; key: string };

export const patternKind = (pattern: string): PatternKind => {
  if (pattern === "*") return { kind: "all" };
  if (pattern.endsWith(".*")) return { kind: "resource", resource: pattern.slice(0, -2) };
  return { kind: "exact", key: pattern };
};

/** `booking` of `booking.created`. */
export const resourceOf = (eventKey: string): string => {
  const dot = eventKey.indexOf(".");
  return dot < 0 ? eventKey : eventKey.slice(0, dot);
};

export const keyMatches = (pattern: string, eventKey: string): boolean => {
  if (pattern === "*") return true;
  if (pattern.endsWith(".*")) return eventKey.startsWith(pattern.slice(0, -1));
  return pattern === eventKey;
};
