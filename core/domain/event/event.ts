import * as v from "valibot";
import {
  DATA_MAX_BYTES,
  DATA_MAX_DEPTH,
  DEDUPE_KEY_MAX_CODE_POINTS,
  DETAIL_MAX_CODE_POINTS,
  EVENT_BODY_MAX_CODE_POINTS,
  TITLE_MAX_CODE_POINTS,
  URL_MAX_CODE_POINTS,
} from "../basics/limits.ts";
import { EventKey } from "./event-key.ts";
import { canonicalPriority, PrioritySpelling } from "../basics/priority.ts";
import { canKeep, NUMBER_KEPT } from "../basics/number.ts";
import { Priority } from "../basics/priority.ts";
import { nearest } from "../basics/nearest.ts";
import type { Fault } from "../basics/refusal.ts";
import { bytesAsJson, text } from "../basics/text.ts";

type DataFault = { path: string[]; message: string };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const textFault = (value: string): string | undefined => {
  if (value.includes("\u0000")) return "must not hold the character NUL.";
  return value.isWellFormed() ? undefined : "must be well-formed Unicode: it holds half of a surrogate pair.";
};

const valueFault = (value: unknown): string | undefined => {
  if (typeof value === "boolean") return undefined;
  if (typeof value === "string") return textFault(value);
  if (typeof value !== "number") return "must be a string, a number, a boolean or an object of those.";
  return canKeep(value) ? undefined : `must be ${NUMBER_KEPT}.`;
};

/** Every fault of an event's data, found without recursion, so that no depth of nesting can exhaust the stack. */
const dataFaults = (data: Record<string, unknown>): DataFault[] => {
  const faults: DataFault[] = [];
  const open: { value: Record<string, unknown>; path: string[] }[] = [{ value: data, path: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [key, value] of Object.entries(next.value)) {
      const path = [...next.path, key];
      const keyFault = key === "__proto__" ? "is not allowed as a key." : textFault(key);
      if (keyFault !== undefined) faults.push({ path, message: keyFault });
      else if (!isObject(value)) {
        const message = valueFault(value);
        if (message !== undefined) faults.push({ path, message });
      } else if (path.length >= DATA_MAX_DEPTH)
        faults.push({ path, message: `must not be nested deeper than ${DATA_MAX_DEPTH} levels.` });
      else open.push({ value, path });
    }
  }
  return faults;
};

/** A value of an event's data: strings, numbers and booleans, or objects of them. */
export type DataValue = string | number | boolean | { [key: string]: DataValue };
export type EventData = { [key: string]: DataValue };

const isEventData = (value: unknown): value is EventData => isObject(value) && dataFaults(value).length === 0;

const issuePath = (data: unknown, path: readonly string[]): [v.IssuePathItem, ...v.IssuePathItem[]] | undefined => {
  const [first, ...rest] = path.map((key): v.IssuePathItem => ({
    type: "unknown",
    origin: "value",
    input: data,
    key,
    value: undefined,
  }));
  return first === undefined ? undefined : [first, ...rest];
};

const Data = v.pipe(
  v.custom<Record<string, unknown>>(isObject, "data must be an object."),
  v.rawTransform(({ dataset, addIssue, NEVER }): EventData => {
    const { value } = dataset;
    if (isEventData(value)) return value;
    for (const { path, message } of dataFaults(value))
      addIssue({ message: `${path.at(-1)} ${message}`, path: issuePath(value, path) });
    return NEVER;
  }),
  v.check((data) => bytesAsJson(data) <= DATA_MAX_BYTES, `data must have at most ${DATA_MAX_BYTES} bytes as JSON.`),
);

const isWebAddress = (value: string): boolean => {
  const url = URL.parse(value);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:");
};

/** An http or https URL. */
export const WebAddress = (field: string) =>
  v.pipe(text(field, URL_MAX_CODE_POINTS), v.check(isWebAddress, `${field} must be an http or https URL.`));

/** A field that may be left out; `null` counts as left out, too. */
const given = <Value>(schema: v.GenericSchema<unknown, Value>) =>
  v.optional(
    v.pipe(
      v.nullable(schema),
      v.transform((value) => value ?? undefined),
    ),
  );

const entries = {
  event: EventKey,
  title: text("title", TITLE_MAX_CODE_POINTS),
  body: text("body", EVENT_BODY_MAX_CODE_POINTS),
  priority: v.nullish(PrioritySpelling, "NORMAL"),
  detail: given(text("detail", DETAIL_MAX_CODE_POINTS, 0)),
  data: given(Data),
  url: given(WebAddress("url")),
  /** Checked only where there is no valid `url`. */
  link: v.optional(v.unknown()),
  dedupeKey: given(text("dedupeKey", DEDUPE_KEY_MAX_CODE_POINTS)),
  requiresAck: given(v.boolean("requiresAck must be true or false.")),
  resolves: given(text("resolves", DEDUPE_KEY_MAX_CODE_POINTS)),
};

const Link = given(WebAddress("link"));
const hasUrl = (value: Record<string, unknown>): boolean =>
  typeof value["url"] === "string" && v.is(entries.url, value["url"]);

/** An event as an integrator sends it. Fields that are not listed here are ignored. */
export const EventInput = v.pipe(
  v.object(entries),
  v.rawCheck(({ dataset, addIssue }) => {
    const { value } = dataset;
    if (!isObject(value) || hasUrl(value)) return;
    const link = value["link"];
    for (const { message } of v.safeParse(Link, link).issues ?? [])
      addIssue({ message, path: [{ type: "object", origin: "value", input: value, key: "link", value: link }] });
  }),
  v.transform(({ event, priority, link, url, ...rest }) => {
    const address = url ?? (typeof link === "string" ? link : undefined);
    return {
      ...rest,
      eventKey: event,
      priority: canonicalPriority(priority),
      ...(address === undefined ? {} : { url: address }),
    };
  }),
);
export type EventInput = v.InferOutput<typeof EventInput>;

/** The names that other services use for the fields of an event. */
const otherNames: Readonly<Record<string, keyof typeof entries>> = {
  eventkey: "event",
  eventtype: "event",
  type: "event",
  name: "event",
  subject: "title",
  summary: "title",
  headline: "title",
  message: "body",
  text: "body",
  severity: "priority",
  level: "priority",
  urgency: "priority",
  description: "detail",
  metadata: "data",
  payload: "data",
  labels: "data",
  tags: "data",
  attributes: "data",
  customdetails: "data",
  href: "url",
  uri: "url",
  alias: "dedupeKey",
  fingerprint: "dedupeKey",
  deduplicationkey: "dedupeKey",
  ack: "requiresAck",
};

const fields = Object.keys(entries);
const WARNINGS_MAX = 20;
const NAME_SHOWN_CHARACTERS = 100;

/** The field that a name probably stands for: one with a similar name, or the one that other services call that. */
const fieldMeant = (key: string): string | undefined => {
  const word = key.toLowerCase().replace(/[^a-z]/g, "");
  return nearest(key, fields) ?? (Object.hasOwn(otherNames, word) ? otherNames[word] : undefined);
};

/** Where a required field is missing and another seems to stand for it, the fault asks whether that one was meant. */
export const withMeant = (fault: Fault, input: object): Fault => {
  if (fault.code !== "required" || fault.message.endsWith("?")) return fault;
  const sent = Object.keys(input).find((key) => !fields.includes(key) && fieldMeant(key) === fault.field);
  if (sent === undefined) return fault;
  const name = sent.slice(0, NAME_SHOWN_CHARACTERS);
  return { ...fault, message: `${fault.message} There is ${name}: did you mean ${fault.field}?` };
};

/** The fields of an input that are not kept, each with the field that was probably meant. */
export const unknownFields = (input: object): Fault[] =>
  Object.keys(input)
    .filter((field) => !fields.includes(field))
    .slice(0, WARNINGS_MAX)
    .map((key) => {
      const field = key.slice(0, NAME_SHOWN_CHARACTERS);
      const name = fieldMeant(key);
      const question = name === undefined ? "" : `: did you mean ${name}?`;
      return {
        field,
        code: "unknown_field",
        message: `${field} is no field of an event and was not kept${question === "" ? "." : question}`,
      };
    });

/** The site that an event came from, where its data names one: an address and a name. */
export type Site = { site: string; name: string };

/** One spelling of an address: a slash at the end or capitals in the host do not make a different site. */
export const canonicalSite = (address: string): string => {
  const url = URL.parse(address);
  if (url === null) return address;
  return url.search === "" && url.hash === "" ? url.href.replace(/\/+$/, "") : url.href;
};

export const siteOf = (data: EventData | undefined): Site | undefined => {
  const site = data !== undefined && Object.hasOwn(data, "site") ? data["site"] : undefined;
  const name = data !== undefined && Object.hasOwn(data, "site_name") ? data["site_name"] : undefined;
  return typeof site === "string" && typeof name === "string" && name !== "" && isWebAddress(site)
    ? { site: canonicalSite(site), name }
    : undefined;
};

/** A heartbeat whose call did not come by `missedAt`. `calledAt` is when the next call came; null before that. */
export const HeartbeatMiss = v.object({
  id: v.string(),
  name: v.string(),
  missedAt: v.string(),
  calledAt: v.nullable(v.string()),
});
export type HeartbeatMiss = v.InferOutput<typeof HeartbeatMiss>;

/** The part of an event that is stored as it was sent, with the field names of the interface. */
export const EventContent = v.object({
  eventKey: v.string(),
  title: v.string(),
  body: v.string(),
  priority: Priority,
  detail: v.optional(v.string()),
  data: v.optional(v.custom<EventData>(isObject)),
  url: v.optional(v.string()),
  dedupeKey: v.optional(v.string()),
  requiresAck: v.optional(v.boolean()),
  /** The dedupeKey of the events that this one resolves. */
  resolves: v.optional(v.string()),
  /** Only in an event that the service made itself: the heartbeat that it is about. */
  heartbeat: v.optional(HeartbeatMiss),
});
export type EventContent = v.InferOutput<typeof EventContent>;

/** An admitted event: its content, its id, and the versions of rules and people that it is matched against. */
export const AcceptedEvent = v.object({
  workspaceId: v.string(),
  eventId: v.string(),
  /** Milliseconds since the epoch. */
  receivedAt: v.number(),
  rulesVersion: v.number(),
  peopleVersion: v.number(),
  content: EventContent,
  /** The id of the event that had the dedupeKey in `resolves` when this event came. */
  ends: v.optional(v.string()),
});
export type AcceptedEvent = v.InferOutput<typeof AcceptedEvent>;
