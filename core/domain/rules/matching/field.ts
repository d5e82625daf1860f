import * as v from "valibot";
import { text } from "../../basics/text.ts";
import { FIELD_MAX_CODE_POINTS, FIELD_MAX_DEPTH } from "./limits.ts";
import { canonicalPriority } from "../../basics/priority.ts";

/** What rules see of an event. `data` holds strings, numbers, booleans and objects of them. */
export type MatchableEvent = {
  eventKey: string;
  title: string;
  body: string;
  priority: string;
  data?: Readonly<Record<string, unknown>> | null | undefined;
};

const DATA = "data.";
const fieldMessage = "A field is title, body, priority or data.<path>, such as data.customer.tier.";

const isField = (field: string): boolean => {
  if (field === "title" || field === "body" || field === "priority") return true;
  if (!field.startsWith(DATA)) return false;
  const parts = field.slice(DATA.length).split(".");
  return parts.length <= FIELD_MAX_DEPTH && parts.every((part) => part !== "" && part !== "__proto__");
};

export const Field = v.pipe(text("A field", FIELD_MAX_CODE_POINTS), v.check(isField, fieldMessage));

/** A list is a value without a text, and nothing inside it has a path. */
const isObject = (found: unknown): found is Record<string, unknown> =>
  typeof found === "object" && found !== null && !Array.isArray(found);

/**
 * Own properties only. A key may itself hold dots: of several spellings of one path, the one with the shortest first
 * key that leads to a value wins, so nested objects come before dotted keys.
 */
const dig = (from: unknown, path: readonly string[], start: number): unknown => {
  if (start === path.length) return from;
  if (!isObject(from)) return undefined;
  let key = "";
  for (let end = start; end < path.length; end += 1) {
    key = end === start ? (path[end] ?? "") : `${key}.${path[end]}`;
    if (!Object.hasOwn(from, key)) continue;
    const found = dig(from[key], path, end + 1);
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
};

/** The first key of a path under `data`, up to any dot; undefined for the other fields. */
export const firstKey = (field: string): string | undefined =>
  field.startsWith(DATA) ? headOf(field.slice(DATA.length)) : undefined;

/** A key up to its first dot. */
export const headOf = (key: string): string => {
  const dot = key.indexOf(".");
  return dot < 0 ? key : key.slice(0, dot);
};

export type ReadField = (event: MatchableEvent) => unknown;

/** A field's reader, its path taken apart once. A field that does not exist reads as missing. */
export const fieldReader = (field: string): ReadField => {
  switch (field) {
    case "title":
      return (event) => event.title;
    case "body":
      return (event) => event.body;
    case "priority":
      return (event) => (typeof event.priority === "string" ? canonicalPriority(event.priority) : undefined);
    default: {
      if (!field.startsWith(DATA)) return () => undefined;
      const path = field.slice(DATA.length).split(".");
      const [only = ""] = path;
      if (path.length > 1) return (event) => dig(event.data, path, 0);
      // Data comes from JSON: a name that no object inherits is its own or missing, and need not be asked for twice.
      if (!(only in Object.prototype)) return ({ data }) => (isObject(data) ? data[only] : undefined);
      return ({ data }) => (isObject(data) && Object.hasOwn(data, only) ? data[only] : undefined);
    }
  }
};
