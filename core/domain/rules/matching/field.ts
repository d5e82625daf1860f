import * as v from "valibot";
import { textSchema } from "../../basics/text.ts";
import { FIELD_MAX_CODE_POINTS, FIELD_MAX_DEPTH } from "./limits.ts";
import { canonicalizePriority } from "../../basics/priority.ts";

/** The fields of an event that the engine needs. `data`: strings, numbers, booleans, and objects with values of these types. */
export type MatchableEvent = {
  eventKey: string;
  title: string;
  body: string;
  priority: string;
  detail?: string | undefined;
  url?: string | undefined;
  /** Rules can compare only the name of the sender. */
  sender?: { name: string } | null | undefined;
  data?: Readonly<Record<string, unknown>> | null | undefined;
};

const DATA = "data.";
/** The fields of an event besides `data` that conditions can name. */
export const EVENT_FIELDS: readonly string[] = ["eventKey", "title", "body", "priority", "detail", "url", "sender"];
const fieldMessage = `A field is one of ${EVENT_FIELDS.join(", ")}, or data.<path>, such as data.customer.tier.`;

const isConditionField = (field: string): boolean => {
  if (EVENT_FIELDS.includes(field)) return true;
  if (!field.startsWith(DATA)) return false;
  const parts = field.slice(DATA.length).split(".");
  return parts.length <= FIELD_MAX_DEPTH && parts.every((part) => part !== "" && part !== "__proto__");
};

export const Field = v.pipe(textSchema("A field", FIELD_MAX_CODE_POINTS), v.check(isConditionField, fieldMessage));

/** Returns whether the value is an object. A list does not count as an object, because a list has neither a text nor paths. */
export const isObject = (found: unknown): found is Record<string, unknown> =>
  typeof found === "object" && found !== null && !Array.isArray(found);

/** Returns the path inside `data`, or undefined for a field outside `data`. */
export const parseDataPath = (field: string): readonly string[] | undefined =>
  field.startsWith(DATA) ? field.slice(DATA.length).split(".") : undefined;

/** Returns the value at the path, from index `start`. Keys may contain dots: `a.b` finds `b` in `a`, or else the key `a.b`. */
export const readValueAtPath = (container: unknown, path: readonly string[], start = 0): unknown => {
  if (start === path.length) return container;
  if (!isObject(container)) return undefined;
  let key = "";
  for (let end = start; end < path.length; end += 1) {
    key = end === start ? (path[end] ?? "") : `${key}.${path[end]}`;
    if (!Object.hasOwn(container, key)) continue;
    const found = readValueAtPath(container[key], path, end + 1);
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
};

/** Returns the event's value of a condition's field (a name, or a path in `data`); undefined if the event lacks the field. */
export const readField = (field: string | readonly string[], event: MatchableEvent): unknown => {
  if (typeof field !== "string") return readValueAtPath(event.data, field);
  switch (field) {
    case "eventKey":
      return event.eventKey;
    case "detail":
      return event.detail;
    case "url":
      return event.url;
    case "sender":
      return event.sender?.name;
    case "title":
      return event.title;
    case "body":
      return event.body;
    case "priority":
      return typeof event.priority === "string" ? canonicalizePriority(event.priority) : undefined;
    default:
      return readValueAtPath(event.data, parseDataPath(field) ?? [""]);
  }
};
