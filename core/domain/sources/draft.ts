import * as v from "valibot";
import type { Priority } from "../basics/priority.ts";

/** What a tool says of a thing: it is wrong, it is right again, the sender is tried out, or neither. The action of the event key. */
export type Action = "firing" | "resolved" | "test" | "info";

/** An event as an adapter reads it out of a tool's payload, before it is cut to what an event may hold. */
export type Draft = {
  action: Action;
  title: string;
  body: string;
  detail?: string | undefined;
  /** Only of what fires; the rest is LOW. */
  priority?: Priority | undefined;
  url?: string | undefined;
  /** Flattened when it is stored: nested objects and lists become dotted paths. */
  data?: Readonly<Record<string, unknown>> | undefined;
  /** Names the alert: what resolves has the same as what fired. */
  key?: string | undefined;
  /** Names this very message, however often it is sent. */
  once?: string | undefined;
};

/** A payload through its schema to drafts. Pure; none where there is nothing to tell of. */
export type Adapter = v.GenericSchema<unknown, Draft[]>;

export const adapter = <Payload>(
  schema: v.GenericSchema<unknown, Payload>,
  read: (payload: Payload) => Draft[],
): Adapter => v.pipe(schema, v.transform(read));

/** A text of a payload; a number counts as its text, anything else as none. */
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

/** An object of a payload, or an empty one. */
export const fields = v.fallback(v.record(v.string(), v.unknown()), {});

/** The parts of a payload that an adapter reads; others are kept out. */
export const part = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.fallback(v.optional(v.nullable(v.object(entries))), undefined);

/** The first of the texts that is not empty. */
export const first = (...texts: readonly unknown[]): string | undefined =>
  texts.find((text): text is string => typeof text === "string" && text.trim() !== "");

const severities: readonly [Priority, RegExp][] = [
  ["URGENT", /^(?:critical|fatal|emergency|emerg|alert|disaster|page|p1|sev1|1)$/i],
  ["HIGH", /^(?:error|err|high|major|p2|sev2|2)$/i],
  ["NORMAL", /^(?:warning|warn|medium|moderate|average|minor|p3|sev3|3)$/i],
  ["LOW", /^(?:info|information|informational|notice|low|none|debug|p4|p5|sev4|sev5|4|5)$/i],
];

/** The priority that a tool's word for severity stands for; undefined for a word that none of them uses. */
export const priorityOf = (severity: unknown): Priority | undefined =>
  severities.find(([, words]) => typeof severity === "string" && words.test(severity.trim()))?.[0];

/** What a tool's words for its states come to. */
export const words = (table: Readonly<Record<string, Action>>): ReadonlyMap<string, Action> =>
  new Map(Object.entries(table));
