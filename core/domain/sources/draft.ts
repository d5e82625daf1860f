import * as v from "valibot";
import type { Priority } from "../basics/priority.ts";
import type { Fault } from "../basics/refusal.ts";
import { fromIso } from "../basics/time.ts";

/** The action of the event key: a problem, its end, a test of the sender, or none of these. */
export type Action = "firing" | "resolved" | "test" | "info";

/** An event as an adapter reads it from a tool's payload, before it is cut to the limits of an event. */
export type Draft = {
  action: Action;
  title: string;
  /** Whether the tool sends no title with the end, so that this one only repeats the alert's key. */
  untitled?: boolean | undefined;
  body: string;
  detail?: string | undefined;
  /** Used for `firing`. An `info` is NORMAL if this is NORMAL, and otherwise LOW, like every other event. */
  priority?: Priority | undefined;
  /** The tool's words for the severity of a firing alert: the first known one counts before `priority`. */
  severity?: readonly unknown[] | undefined;
  url?: string | undefined;
  /** Links by their labels, such as `Runbook`. The first usable one is the event's `url`, if it has no other. */
  links?: Readonly<Record<string, unknown>> | undefined;
  /** Flattened when it is stored: nested objects and lists become dotted paths. */
  data?: Readonly<Record<string, unknown>> | undefined;
  /** Identifies the alert: the event that resolves it has the same key as the one that fired. */
  key?: string | undefined;
  /** The key that the alert had in earlier versions, if it differs: an end ends it under both. */
  formerKey?: string | undefined;
  /** When the alert changed to this state (milliseconds), if the tool says so: its messages may arrive in any order. */
  changedAt?: number | undefined;
  /** Identifies this message of its sender, however often it is sent: the idempotency key. Not the alert's name. */
  once?: string | undefined;
  /** Context that the payload itself does not have. */
  warnings?: readonly Fault[] | undefined;
};

/** Validates a payload and turns it into drafts; none if there is nothing to report. Pure. */
export type Adapter = v.GenericSchema<unknown, Draft[]>;

export const adapter = <Payload>(
  schema: v.GenericSchema<unknown, Payload>,
  read: (payload: Payload) => Draft[],
): Adapter => v.pipe(schema, v.transform(read));

/** A text in a payload. Numbers and booleans become texts; anything else counts as missing. */
export const maybe = v.fallback(
  v.optional(
    v.union([
      v.string(),
      v.pipe(
        v.union([v.number(), v.boolean()]),
        v.transform((value) => String(value)),
      ),
    ]),
  ),
  undefined,
);

/** An object in a payload; anything else counts as an empty one. */
export const fields = v.fallback(v.record(v.string(), v.unknown()), {});

/** The fields of a value that may not be an object. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => {
  const read = v.safeParse(fields, value);
  return read.success ? read.output : {};
};

/** A list in a payload; anything else counts as an empty one. */
export const list = v.fallback(v.array(v.unknown()), []);

/**
 * A list of names as one text that conditions can search, such as `db, prod`; undefined if empty. A comma within a
 * name would split it.
 */
export const listed = (names: readonly unknown[]): string | undefined => {
  const texts = names.flatMap((name) => (typeof name === "string" && name.trim() !== "" ? [name.trim()] : []));
  return texts.length === 0 ? undefined : texts.map((text) => text.replaceAll(/\s*,\s*/g, " ")).join(", ");
};

/** An object in a payload with the fields that an adapter reads; other fields are dropped. */
export const part = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.fallback(v.optional(v.nullable(v.object(entries))), undefined);

/** The texts of an object, one a line, with their names. */
export const linesOf = (texts: Readonly<Record<string, unknown>>): string =>
  Object.entries(texts)
    .filter(([, value]) => typeof value === "string")
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join("\n");

/** Milliseconds of a time in a payload; undefined for none, or for the year 1, which Go writes for none. */
export const timeOf = (text: string | undefined): number | undefined => {
  const ms = text === undefined ? undefined : fromIso(text);
  return ms === undefined || ms <= 0 ? undefined : ms;
};

/** The first text that is not blank. */
export const first = (...texts: readonly unknown[]): string | undefined =>
  texts.find((text): text is string => typeof text === "string" && text.trim() !== "");

const severities: readonly [Priority, RegExp][] = [
  ["URGENT", /^(?:crit|critical|fatal|emerg|emergency|alert|disaster|page|panic|blocker|severe|highest|urgent)$/],
  ["HIGH", /^(?:err|error|high|major|serious|important)$/],
  ["NORMAL", /^(?:warn|warning|medium|moderate|average|minor|normal)$/],
  ["LOW", /^(?:info|information|informational|notice|note|low|lowest|trivial|none|debug)$/],
];
/** By the digit of `P2`, `sev-2`, `S2` or a plain `2`. A plain 0 is the highest for some tools and the lowest for others. */
const levels: readonly Priority[] = ["URGENT", "URGENT", "HIGH", "NORMAL", "LOW", "LOW"];
const LEVEL = /^(?:(?:p|s|sev|prio|priority|severity)(?<level>[0-5])|(?<plain>[1-5]))$/;

/** The priority of a tool's word for severity; undefined for a word that no tool uses. */
export const priorityOf = (severity: unknown): Priority | undefined => {
  if (typeof severity !== "string" && typeof severity !== "number") return undefined;
  const word = String(severity).trim().toLowerCase();
  const { level, plain } = LEVEL.exec(word.replaceAll(/[\s_-]/g, ""))?.groups ?? {};
  return severities.find(([, words]) => words.test(word))?.[0] ?? levels[Number(level ?? plain)];
};

/** Maps a tool's words for its states to actions. */
export const words = (table: Readonly<Record<string, Action>>): ReadonlyMap<string, Action> =>
  new Map(Object.entries(table));
