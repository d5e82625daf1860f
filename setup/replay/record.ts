import { basename } from "node:path";
import * as v from "valibot";
import { fromIso } from "../../core/domain/basics/time.ts";
import type { SourceName } from "../../core/domain/basics/source-name.ts";
import type { EventInput } from "../../core/domain/event/event.ts";
import { fit } from "../../core/domain/sources/fit.ts";
import { sources } from "../../core/domain/sources/index.ts";
import { oneLine } from "../../core/domain/basics/text.ts";
import type { ExportFile, Part } from "../import/export-files.ts";
import type { Draft } from "../import/draft.ts";

/* What the other service recorded of its alerts, and the events that they are here. */

/** A person whom the other service notified: when (milliseconds), and by what, in its own word. */
export type Notified = { person: string; at: number; channel: string };

/**
 * An alert as it was recorded. `ackAt`, `endAt`: when somebody acknowledged it and when it ended, in milliseconds; undefined
 * for never.
 */
export type Recorded = {
  id: string;
  at: number;
  sender: string | undefined;
  event: EventInput;
  ackAt: number | undefined;
  endAt: number | undefined;
  notified: readonly Notified[];
};

/** An alert that cannot be replayed. */
export type Left = { id: string; why: string };

/** The keys that the import makes of the export's senders, by their ids, and the source of each key. */
export type Senders = { keyOf: ReadonlyMap<string, string>; sourceOf: ReadonlyMap<string, SourceName | undefined> };

/** A time of the other service; undefined for none. */
export const instant = v.pipe(
  v.nullish(v.string("must be a time.")),
  v.transform((text) => (typeof text === "string" ? fromIso(text) : undefined)),
);
export const required = v.pipe(v.string("must be a time."), v.transform(fromIso), v.number("must be a time."));
export const maybe = v.nullish(v.string("must be a text."));
export const id = v.pipe(v.string("an id must be a text."), v.nonEmpty("an id must not be empty."));

/** The name of the file that has a part, which is the id of what the file is about. */
export const nameOfFile = ({ file }: Part): string => basename(file, ".json");

/** The first event that a payload becomes by its source's adapter; undefined where it notifies nobody. */
export const eventBy = (source: keyof typeof sources, payload: unknown): EventInput | undefined => {
  const read = v.safeParse(sources[source].adapter, payload);
  const draft = read.success ? read.output.find(({ action }) => action === "firing") : undefined;
  return draft === undefined ? undefined : fit(source, draft).event;
};

export const NO_EVENT = "Nothing in it can be an event.";

/** The event of an alert that a service recorded as it came to its own API; or why there is none. */
export const ownEventBy = (
  service: "opsgenie" | "pagerduty",
  { name, sender, sourceOf }: { name: string; sender: string | undefined } & Pick<Senders, "sourceOf">,
  payload: unknown,
): EventInput | string => {
  const source = sourceOf.get(sender ?? "") ?? service;
  return source === service
    ? (eventBy(service, payload) ?? NO_EVENT)
    : `Its tool sends to the key "${sender}" in its own format (${source}), which ${name} did not record.`;
};

/** What a person was notified by, from a text that names it; undefined where it names none. */
export const channelIn = (text: string): string | undefined => {
  const words: readonly [RegExp, string][] = [
    [/\bsms\b|text message/i, "sms"],
    [/voice|phone|\bcall/i, "voice"],
    [/e-?mail/i, "email"],
    [/push|mobile|\bios\b|android/i, "push"],
    [/slack|telegram|teams|message|invited/i, "chat"],
  ];
  return words.find(([word]) => word.test(text))?.[1];
};

export const titleOf = (text: string | null | undefined, otherwise: string): string =>
  text === null || text === undefined || text.trim() === "" ? otherwise : oneLine(text);

/**
 * What a service recorded. `config`: the files that say how the account is set up; `draft`: remarks about the others;
 * `alertsBy`: all alerts, by the keys of their senders.
 */
export type Records = { config: ExportFile[]; draft: Draft; alertsBy: (senders: Senders) => (Recorded | Left)[] };

/** The files of an export in which none of these parts is. */
export const otherFiles = (files: readonly ExportFile[], parts: readonly Part[]): ExportFile[] => {
  const known = new Set(parts.map(({ file }) => file));
  return files.filter(({ path }) => !known.has(path));
};
