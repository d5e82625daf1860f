import * as v from "valibot";
import type { Priority } from "../basics/priority.ts";
import type { EventWarning } from "../basics/refusal.ts";
import { fromIso } from "../basics/time.ts";

export type Action = "firing" | "resolved" | "test" | "info";

/** An adapter reads a draft from a payload; `fitDraft` then cuts the draft to an event's limits. */
export type Draft = {
  action: Action;
  title: string;
  /** True if a message about an alert's end contains no title, so that the draft's title only repeats the alert's key. */
  untitled?: boolean | undefined;
  body: string;
  detail?: string | undefined;
  /** The priority of a `firing` event. An event that is not `firing` is LOW, except an `info` event whose draft says NORMAL. */
  priority?: Priority | undefined;
  /** Words for a firing alert's severity. The first word that is known replaces `priority`. */
  severity?: readonly unknown[] | undefined;
  url?: string | undefined;
  /** Links by label, such as `Runbook`. The first usable link becomes the event's `url` if the event has no `url`. */
  links?: Readonly<Record<string, unknown>> | undefined;
  /** The data of the event. The paths of values in nested objects and lists become names with dots. */
  data?: Readonly<Record<string, unknown>> | undefined;
  /** The alert's key, which is the same in a firing event and in the event of the alert's end. */
  key?: string | undefined;
  /** The alert's key in earlier versions of the service, if different: the alert's end also resolves events with this key. */
  formerKey?: string | undefined;
  /** When the alert started or ended (ms): decides which message is newer, because messages may arrive in any order. */
  changedAt?: number | undefined;
  /** Identifies the message, not the alert, so that a message which the tool sends again creates no second event. */
  once?: string | undefined;
  warnings?: readonly EventWarning[] | undefined;
};

/** Validates a payload and converts it to drafts. The list is empty if the payload creates no event. */
export type Adapter = v.GenericSchema<unknown, Draft[]>;

export const createAdapter = <Payload>(
  schema: v.GenericSchema<unknown, Payload>,
  toDrafts: (payload: Payload) => Draft[],
): Adapter => v.pipe(schema, v.transform(toDrafts));

/** The schema of an optional text. Numbers and booleans become texts; other values that are not texts count as missing. */
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

/** The schema of an optional object: any other value becomes an empty object. */
export const fields = v.fallback(v.record(v.string(), v.unknown()), {});

/** Returns the value if it is an object, and otherwise an empty object. */
export const readFields = (value: unknown): Readonly<Record<string, unknown>> => {
  const read = v.safeParse(fields, value);
  return read.success ? read.output : {};
};

/** The schema of an optional list: any other value becomes an empty list. */
export const list = v.fallback(v.array(v.unknown()), []);

/** Joins names in a text that conditions can search, such as `db, prod`, without commas in names; undefined without names. */
export const joinNames = (names: readonly unknown[]): string | undefined => {
  const texts = names.flatMap((name) => (typeof name === "string" && name.trim() !== "" ? [name.trim()] : []));
  return texts.length === 0 ? undefined : texts.map((text) => text.replaceAll(/\s*,\s*/g, " ")).join(", ");
};

/** Returns the schema of an optional part of a payload. The schema drops fields that adapters do not use. */
export const partSchema = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.fallback(v.optional(v.nullable(v.object(entries))), undefined);

/** Returns a line `name: text` for each text; leaves out other values. */
export const toNamedLines = (texts: Readonly<Record<string, unknown>>): string =>
  Object.entries(texts)
    .filter(([, value]) => typeof value === "string")
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join("\n");

/** Parses a time into milliseconds. Undefined for a text that is not a time, and for the year 1, Go's empty time. */
export const parseTime = (text: string | undefined): number | undefined => {
  const ms = fromIso(text ?? "") ?? 0;
  return ms > 0 ? ms : undefined;
};

/** Returns the first value that is a text and not blank. */
export const findText = (...texts: readonly unknown[]): string | undefined =>
  texts.find((text): text is string => typeof text === "string" && text.trim() !== "");

const severities: readonly [Priority, RegExp][] = [
  ["URGENT", /^(?:crit|critical|fatal|emerg|emergency|alert|disaster|page|panic|blocker|severe|highest|urgent)$/],
  ["HIGH", /^(?:err|error|high|major|serious|important)$/],
  ["NORMAL", /^(?:warn|warning|medium|moderate|average|minor|normal)$/],
  ["LOW", /^(?:info|information|informational|notice|note|low|lowest|trivial|none|debug)$/],
];
/** Priorities by digit: `P2`, `sev-2`, `S2` and `2` are 2. A mere 0 has no priority: its meaning differs between tools. */
const levels: readonly Priority[] = ["URGENT", "URGENT", "HIGH", "NORMAL", "LOW", "LOW"];
const LEVEL = /^(?:(?:p|s|sev|prio|priority|severity)(?<level>[0-5])|(?<plain>[1-5]))$/;

/** Returns the priority for a tool's word or number for a severity; undefined for an unknown word. */
export const severityToPriority = (severity: unknown): Priority | undefined => {
  if (typeof severity !== "string" && typeof severity !== "number") return undefined;
  const word = String(severity).trim().toLowerCase();
  const { level, plain } = LEVEL.exec(word.replaceAll(/[\s_-]/g, ""))?.groups ?? {};
  return severities.find(([, words]) => words.test(word))?.[0] ?? levels[Number(level ?? plain)];
};

/** Returns the table as a map from a tool's states to actions. */
export const mapStates = (table: Readonly<Record<string, Action>>): ReadonlyMap<string | undefined, Action> =>
  new Map(Object.entries(table));
