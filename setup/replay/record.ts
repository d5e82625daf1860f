import { basename } from "node:path";
import * as v from "valibot";
import { fromIso } from "../../core/domain/basics/time.ts";
import type { SourceName } from "../../core/domain/basics/source-name.ts";
import type { EventInput } from "../../core/domain/event/event.ts";
import { fitDraft } from "../../core/domain/sources/fit.ts";
import { sources } from "../../core/domain/sources/index.ts";
import { joinLines } from "../../core/domain/basics/text.ts";
import type { ExportFile, ExportPart } from "../import/export-files.ts";
import type { Draft } from "../import/draft.ts";

/** `at`: in ms since 1970; `channel`: the other service's name of the channel. */
export type TheirNotification = { person: string; at: number; channel: string };

/** Times are in ms since 1970; undefined if the alert was never acknowledged or ended. */
export type PastAlert = {
  id: string;
  at: number;
  sender: string | undefined;
  event: EventInput;
  ackAt: number | undefined;
  endAt: number | undefined;
  notified: readonly TheirNotification[];
};

export type SkippedAlert = { id: string; why: string };

/** `keyOf`: the name of a key, by the id of its sender in the export. `sourceOf`: the source of a key, by its name. */
export type SenderMaps = { keyOf: ReadonlyMap<string, string>; sourceOf: ReadonlyMap<string, SourceName | undefined> };

export const instant = v.pipe(
  v.nullish(v.string("must be a time.")),
  v.transform((text) => (typeof text === "string" ? fromIso(text) : undefined)),
);
export const required = v.pipe(v.string("must be a time."), v.transform(fromIso), v.number("must be a time."));
export const maybe = v.nullish(v.string("must be a string."));
export const id = v.pipe(v.string("an id must be a string."), v.nonEmpty("an id must not be empty."));

/** Returns the file's name without extension: the id of the alert or incident. */
export const toFileName = ({ file }: ExportPart): string => basename(file, ".json");

/** Converts a payload by the source's adapter; returns undefined if the adapter creates no event. */
export const toEvent = (source: keyof typeof sources, payload: unknown): EventInput | undefined => {
  const read = v.safeParse(sources[source].adapter, payload);
  const draft = read.success ? read.output.find(({ action }) => action === "firing") : undefined;
  return draft === undefined ? undefined : fitDraft(source, draft).event;
};

export const NO_EVENT = "The incident contains no alert that can become an event.";

/** Converts an alert in the format of `service`'s API. Returns the reason as text if the alert cannot become an event. */
export const toEventOrReason = (
  service: "opsgenie" | "pagerduty",
  { name, sender, sourceOf }: { name: string; sender: string | undefined } & Pick<SenderMaps, "sourceOf">,
  payload: unknown,
): EventInput | string => {
  const source = sourceOf.get(sender ?? "") ?? service;
  return source === service
    ? (toEvent(service, payload) ?? NO_EVENT)
    : `The tool of the alert sends to the key "${sender}" in its own format (${source}), which ${name} did not record.`;
};

/** Returns the channel that a text names; undefined if the text names no channel. */
export const findChannel = (text: string): string | undefined => {
  const words: readonly [RegExp, string][] = [
    [/\bsms\b|text message/i, "sms"],
    [/voice|phone|\bcall/i, "voice"],
    [/e-?mail/i, "email"],
    [/push|mobile|\bios\b|android/i, "push"],
    [/slack|telegram|teams|message|invited/i, "chat"],
  ];
  return words.find(([word]) => word.test(text))?.[1];
};

export const chooseTitle = (text: string | null | undefined, defaultTitle: string): string =>
  text === null || text === undefined || text.trim() === "" ? defaultTitle : joinLines(text);

/** `config`: the account's configuration; `draft`: remarks about other files; `alertsBy`: returns alerts by the senders' keys. */
export type ExportRecords = {
  config: ExportFile[];
  draft: Draft;
  alertsBy: (senders: SenderMaps) => (PastAlert | SkippedAlert)[];
};

/** Returns the files that contain none of the parts. */
export const listOtherFiles = (files: readonly ExportFile[], parts: readonly ExportPart[]): ExportFile[] => {
  const known = new Set(parts.map(({ file }) => file));
  return files.filter(({ path }) => !known.has(path));
};
