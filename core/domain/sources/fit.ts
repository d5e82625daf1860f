import { crc32 } from "node:zlib";
import {
  DATA_MAX_BYTES,
  DEDUPE_KEY_MAX_CODE_POINTS,
  DETAIL_MAX_CODE_POINTS,
  EVENT_BODY_MAX_CODE_POINTS,
  IDEMPOTENCY_KEY_MAX_CODE_POINTS,
  TITLE_MAX_CODE_POINTS,
  URL_MAX_CODE_POINTS,
} from "../basics/limits.ts";

import { isWebAddress, normalizeUrl } from "../basics/web-address.ts";
import { isStorableNumber } from "../basics/number.ts";
import type { EventWarning } from "../basics/refusal.ts";
import type { Priority } from "../basics/priority.ts";
import type { EventData, EventInput } from "../event/event.ts";
import { findText, severityToPriority, type Draft } from "./draft.ts";
import { parseNestedJson } from "./paths.ts";
import { countJsonSize, shortenText, joinLines, removeDirectionMarks } from "../basics/text.ts";

/** An event from a draft. `formerKey`: the alert's key in earlier versions of the service. `once`: the idempotency key. */
export type FittedEvent = {
  event: EventInput;
  changedAt: number | undefined;
  formerKey: string | undefined;
  once: string | undefined;
  /** True if the title only repeats the alert's key, so that the resolved event's title replaces it. */
  untitled: boolean;
  warnings: EventWarning[];
};

const DATA_KEY_MAX_CODE_POINTS = 200;
const DATA_TEXT_MAX_CODE_POINTS = 2_000;
const DATA_FIELDS_MAX = 500;
/** The maximum number of levels of data; deeper levels are left out with a warning. */
const DATA_LEVELS_MAX = 8;

const removeUnstorableCharacters = (text: string): string =>
  removeDirectionMarks(text.replaceAll("\u0000", "").toWellFormed());

const createShortenedWarning = (field: string, message: string): EventWarning => ({ field, code: "cut", message });

/** Shortens a long name and adds a checksum, so that different names stay different. */
const shortenName = (name: string, max: number): string => {
  const whole = removeUnstorableCharacters(name);
  if (whole.length <= max) return whole;
  const tail = `~${crc32(whole).toString(36)}~${crc32(`${whole.length}${whole}`).toString(36)}`;
  return (
    Array.from(whole)
      .slice(0, max - tail.length)
      .join("") + tail
  );
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

type Leaf = string | number | boolean;

/** Yields the dotted path and value of each leaf in `input`, which is at `path` and `level`. Too deep values are undefined. */
function* walkLeaves(input: unknown, path: string, level: number): Generator<[string, Leaf | undefined]> {
  const value = level < DATA_LEVELS_MAX ? parseNestedJson(input) : input;
  if (typeof value === "string" || typeof value === "boolean") yield [path, value];
  else if (typeof value === "number") yield [path, isStorableNumber(value) ? value : String(value)];
  else if (isObject(value) && level === DATA_LEVELS_MAX) yield [path, undefined];
  else if (isObject(value))
    for (const [key, inner] of Object.entries(value))
      yield* walkLeaves(inner, path === "" ? key : `${path}.${key}`, level + 1);
}

/** Returns why a value of the data cannot be stored besides the values in `kept`; undefined if the value can be stored. */
const findStorageFault = (
  key: string,
  value: Leaf | undefined,
  kept: ReadonlyMap<string, Leaf>,
): string | undefined => {
  if (value === undefined) return `the value is nested deeper than ${DATA_LEVELS_MAX} levels`;
  if (kept.has(key)) return "another value has this name";
  return key === "" || key === "__proto__" ? "this name is not allowed" : undefined;
};

/** Returns the values of the data by dotted path, if any. Shortens or drops what cannot be stored, with a warning. */
export const fitData = (data: Draft["data"], warnings: EventWarning[]): EventData | undefined => {
  const kept = new Map<string, Leaf>();
  let bytes = 2;
  for (const [path, value] of walkLeaves(data ?? {}, "", 0)) {
    const key = shortenText(removeUnstorableCharacters(path), DATA_KEY_MAX_CODE_POINTS);
    const fault = findStorageFault(key, value, kept);
    if (fault !== undefined || value === undefined) {
      warnings.push(createShortenedWarning(`data.${key}`, `data.${key} was dropped: ${fault}.`));
      continue;
    }
    const short =
      typeof value === "string" ? shortenText(removeUnstorableCharacters(value), DATA_TEXT_MAX_CODE_POINTS) : value;
    if (short !== value)
      warnings.push(
        createShortenedWarning(`data.${key}`, `data.${key} was shortened to ${DATA_TEXT_MAX_CODE_POINTS} characters.`),
      );
    const more = countJsonSize(key) + countJsonSize(short) + 2;
    if (kept.size === DATA_FIELDS_MAX || bytes + more > DATA_MAX_BYTES) {
      warnings.push(createShortenedWarning("data", `data is too large: ${key} and all later fields were dropped.`));
      break;
    }
    bytes += more;
    kept.set(key, short);
  }
  return kept.size === 0 ? undefined : Object.fromEntries(kept);
};

/** Returns the URL; undefined with a warning if it cannot be stored. */
const fitUrl = (field: string, url: string, warnings: EventWarning[]): string | undefined => {
  const whole = normalizeUrl(removeUnstorableCharacters(url));
  if (isWebAddress(whole) && whole.length <= URL_MAX_CODE_POINTS) return whole;
  const message = `${field} was dropped: it is not an http or https URL of at most ${URL_MAX_CODE_POINTS} characters.`;
  warnings.push(createShortenedWarning(field, message));
  return undefined;
};

const isRunbook = (label: string): boolean => /run ?book/i.test(label);

/** Returns links by label, each URL once, with a runbook first. */
const fitLinks = (links: Draft["links"], warnings: EventWarning[]): Map<string, string> => {
  const kept = new Map<string, string>();
  const labels = Object.entries(links ?? {}).toSorted(([one], [other]) => +isRunbook(other) - +isRunbook(one));
  for (const [label, address] of labels) {
    if (typeof address !== "string" || address.trim() === "") continue;
    const url = fitUrl(`data.links.${label}`, address, warnings);
    if (url !== undefined && ![...kept.values()].includes(url)) kept.set(label, url);
  }
  return kept;
};

const chooseEventPriority = ({ severity = [], priority = "NORMAL" }: Draft, warnings: EventWarning[]): Priority => {
  const level = severity.map(severityToPriority).find((known) => known !== undefined);
  const word = findText(...severity.map((sent) => (typeof sent === "number" ? String(sent) : sent)));
  if (level === undefined && word !== undefined) {
    const shown = shortenText(removeUnstorableCharacters(word), WORD_SHOWN_CODE_POINTS);
    const message = `priority is ${priority}: ${shown} is not a known severity.`;
    warnings.push({ field: "priority", code: "replaced", message });
  }
  return level ?? priority;
};
const WORD_SHOWN_CODE_POINTS = 100;

const WARNINGS_MAX = 20;

/** Shortens the texts, with warnings. `fallback`: the title if the draft has no title. */
export const fitEventTexts = (
  { title: sentTitle, body: sentBody, detail: sentDetail }: Pick<Draft, "title" | "body" | "detail">,
  fallback: string,
  warnings: EventWarning[],
): Pick<EventInput, "title" | "body" | "detail"> => {
  const shortenWithWarning = (field: string, text: string, max: number): string => {
    const short = shortenText(removeUnstorableCharacters(text), max);
    if (short !== text) warnings.push(createShortenedWarning(field, `${field} was shortened to ${max} characters.`));
    return short;
  };
  const title = shortenWithWarning("title", joinLines(sentTitle), TITLE_MAX_CODE_POINTS) || fallback;
  const body = shortenWithWarning("body", sentBody, EVENT_BODY_MAX_CODE_POINTS) || title;
  // A body that is too long for a push is also stored as `detail`, which the event shows.
  const long = sentDetail ?? (sentBody.length > EVENT_BODY_MAX_CODE_POINTS ? sentBody : undefined);
  const detail = long === undefined ? undefined : shortenWithWarning("detail", long, DETAIL_MAX_CODE_POINTS);
  return { title, body, ...(detail === undefined || detail === "" ? {} : { detail }) };
};

export const shortenDedupeKey = (name: string): string => shortenName(name, DEDUPE_KEY_MAX_CODE_POINTS);

/** Converts a draft to an event. Shortens or leaves out what cannot be stored, with a warning. */
export const fitDraft = (source: string, draft: Draft): FittedEvent => {
  const warnings: EventWarning[] = [...(draft.warnings ?? [])];
  const { action, key, changedAt } = draft;
  const texts = fitEventTexts(draft, `${source}: ${action}`, warnings);
  const level = action === "firing" ? chooseEventPriority(draft, warnings) : undefined;
  const links = fitLinks(draft.links, warnings);
  const data = fitData({ links: Object.fromEntries(links), ...draft.data }, warnings);
  const own = draft.url === undefined ? undefined : fitUrl("url", draft.url, warnings);
  const url = own ?? links.values().next().value;
  const name = key === undefined || key === "" ? undefined : shortenDedupeKey(`${source}:${key}`);
  const noticed = action === "info" && draft.priority === "NORMAL" ? "NORMAL" : "LOW";
  const event: EventInput = {
    eventKey: `${source.replaceAll("-", "_")}.${action}`,
    ...texts,
    priority: level ?? noticed,
    ...(data === undefined ? {} : { data }),
    ...(url === undefined ? {} : { url }),
    ...(name === undefined || action === "test" || action === "info"
      ? {}
      : action === "resolved"
        ? { resolves: name }
        : { dedupeKey: name }),
  };
  const once =
    draft.once === undefined ? undefined : shortenName(`${source}:${draft.once}`, IDEMPOTENCY_KEY_MAX_CODE_POINTS);
  const untitled = draft.untitled === true;
  const formerKey = draft.formerKey === undefined ? undefined : shortenDedupeKey(`${source}:${draft.formerKey}`);
  return { event, changedAt, formerKey, once, untitled, warnings: warnings.slice(0, WARNINGS_MAX) };
};
