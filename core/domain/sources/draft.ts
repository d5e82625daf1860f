import * as v from "valibot";
import type { Priority } from "../basics/priority.ts";
import type { EventWarning } from "../basics/refusal.ts";
import { fromIso } from "../basics/time.ts";

/** The action in the event key: a problem, its end, a test of the sender, or other information. */
export type Action = "firing" | "resolved" | "test" | "info";

/** An event as an adapter reads it from a tool's payload, before cutting to an event's limits. */
export type Draft = {
  action: Action;
  title: string;
  /** Whether the tool sends no title with the end, so that the title only repeats the alert's key. */
  untitled?: boolean | undefined;
  body: string;
  detail?: string | undefined;
  /** The priority of a `firing` event. An `info` event is NORMAL if this is NORMAL, otherwise LOW; other events are LOW. */
  priority?: Priority | undefined;
  /** The tool's words for the severity of a firing alert: the first known word overrides `priority`. */
  severity?: readonly unknown[] | undefined;
  url?: string | undefined;
  /** Links by label, such as `Runbook`. The first usable one becomes the event's `url` if the draft has none. */
  links?: Readonly<Record<string, unknown>> | undefined;
  /** The data of the event; nested objects and lists are flattened to dotted paths for storage. */
  data?: Readonly<Record<string, unknown>> | undefined;
  /** The alert's identity: the firing event and the resolving event have the same key. */
  key?: string | undefined;
  /** The alert's key in earlier versions, if it differs: an end resolves events under both keys. */
  formerKey?: string | undefined;
  /** When the alert changed to this state (milliseconds), if known. Messages may arrive in any order. */
  changedAt?: number | undefined;
  /** The idempotency key, which identifies this message when the tool sends it again. The key does not identify the alert. */
  once?: string | undefined;
  /** Warnings of the adapter itself. */
  warnings?: readonly EventWarning[] | undefined;
};

/** A pure schema that validates a payload and converts it to drafts; to none if there is nothing to report. */
export type Adapter = v.GenericSchema<unknown, Draft[]>;

export const createAdapter = <Payload>(
  schema: v.GenericSchema<unknown, Payload>,
  read: (payload: Payload) => Draft[],
): Adapter => v.pipe(schema, v.transform(read));

/** Reads a text in a payload. Numbers and booleans become texts; anything else counts as missing. */
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

/** Reads an object in a payload; anything else counts as an empty one. */
export const fields = v.fallback(v.record(v.string(), v.unknown()), {});

/** Returns the fields of a value; none if it is not an object. */
export const readFields = (value: unknown): Readonly<Record<string, unknown>> => {
  const read = v.safeParse(fields, value);
  return read.success ? read.output : {};
};

/** Reads a list in a payload; anything else counts as an empty one. */
export const list = v.fallback(v.array(v.unknown()), []);

/**
 * Joins names to one text that conditions can search, such as `db, prod`; undefined if empty. Removes commas within a
 * name, which would split the name.
 */
export const joinNames = (names: readonly unknown[]): string | undefined => {
  const texts = names.flatMap((name) => (typeof name === "string" && name.trim() !== "" ? [name.trim()] : []));
  return texts.length === 0 ? undefined : texts.map((text) => text.replaceAll(/\s*,\s*/g, " ")).join(", ");
};

/** Reads an object in a payload with the fields that an adapter uses; drops all others. */
export const partSchema = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.fallback(v.optional(v.nullable(v.object(entries))), undefined);

/** Returns the texts of an object with their names, one per line. */
export const toNamedLines = (texts: Readonly<Record<string, unknown>>): string =>
  Object.entries(texts)
    .filter(([, value]) => typeof value === "string")
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join("\n");

/** Parses a time in a payload into milliseconds; undefined for no time, and for the year 1, Go's empty time. */
export const parseTime = (text: string | undefined): number | undefined => {
  const ms = fromIso(text ?? "") ?? 0;
  return ms > 0 ? ms : undefined;
};

/** Returns the first text that is not blank. */
export const firstText = (...texts: readonly unknown[]): string | undefined =>
  texts.find((text): text is string => typeof text === "string" && text.trim() !== "");

const severities: readonly [Priority, RegExp][] = [
  ["URGENT", /^(?:crit|critical|fatal|emerg|emergency|alert|disaster|page|panic|blocker|severe|highest|urgent)$/],
  ["HIGH", /^(?:err|error|high|major|serious|important)$/],
  ["NORMAL", /^(?:warn|warning|medium|moderate|average|minor|normal)$/],
  ["LOW", /^(?:info|information|informational|notice|note|low|lowest|trivial|none|debug)$/],
];
/** Priorities by the digit of `P2`, `sev-2`, `S2` or `2`. A plain 0 is unknown, because tools differ. */
const levels: readonly Priority[] = ["URGENT", "URGENT", "HIGH", "NORMAL", "LOW", "LOW"];
const LEVEL = /^(?:(?:p|s|sev|prio|priority|severity)(?<level>[0-5])|(?<plain>[1-5]))$/;

/** Returns the priority for a tool's word for severity; undefined for an unknown word. */
export const severityToPriority = (severity: unknown): Priority | undefined => {
  if (typeof severity !== "string" && typeof severity !== "number") return undefined;
  const word = String(severity).trim().toLowerCase();
  const { level, plain } = LEVEL.exec(word.replaceAll(/[\s_-]/g, ""))?.groups ?? {};
  return severities.find(([, words]) => words.test(word))?.[0] ?? levels[Number(level ?? plain)];
};

/** Maps a tool's words for its states to actions. */
export const mapStates = (table: Readonly<Record<string, Action>>): ReadonlyMap<string | undefined, Action> =>
  new Map(Object.entries(table));
