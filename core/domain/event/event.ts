import * as v from "valibot";
import { WorkspaceId } from "../basics/ids.ts";
import {
  DATA_MAX_BYTES,
  DATA_MAX_DEPTH,
  DEDUPE_KEY_MAX_CODE_POINTS,
  DETAIL_MAX_CODE_POINTS,
  EVENT_BODY_MAX_CODE_POINTS,
  NAME_MAX_CODE_POINTS,
  TITLE_MAX_CODE_POINTS,
  URL_MAX_CODE_POINTS,
} from "../basics/limits.ts";
import { PageLimit } from "../workspace/page-limit.ts";
import { EventKey, SentEventKey } from "../basics/event-key.ts";
import { Flapping } from "./flapping.ts";
import { Notice } from "./notice.ts";
import { EventProbe } from "./probe.ts";
import { canonicalizePriority, PrioritySpelling } from "../basics/priority.ts";
import { isStorableNumber, NUMBER_KEPT } from "../basics/number.ts";
import { Priority } from "../basics/priority.ts";
import { findNearest } from "../basics/nearest.ts";
import { type EventWarning, type Fault, toIssuePath } from "../basics/refusal.ts";
import {
  countJsonSize,
  repairText,
  repairedTextSchema,
  createDirectionMarksWarning,
  textSchema,
  removeDirectionMarks,
} from "../basics/text.ts";
import { isWebAddress, normalizeUrl } from "../basics/web-address.ts";
import { Seconds } from "../basics/seconds.ts";

type DataFault = { path: string[]; message: string };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns a sentence on what the value must be; undefined if the value can be stored. */
const describeValueFault = (value: unknown): string | undefined => {
  if (typeof value === "boolean" || typeof value === "string") return undefined;
  if (typeof value !== "number") return "must be a string, a number, a boolean or an object of these.";
  return isStorableNumber(value) ? undefined : `must be ${NUMBER_KEPT}.`;
};

/** Returns faults for values that cannot be stored. Does not recurse, because deep nesting could exhaust the stack. */
const findDataFaults = (data: Record<string, unknown>): DataFault[] => {
  const faults: DataFault[] = [];
  const open: { value: Record<string, unknown>; path: string[] }[] = [{ value: data, path: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [key, value] of Object.entries(next.value)) {
      const path = [...next.path, key];
      if (key === "__proto__") faults.push({ path, message: "is not allowed as a key." });
      else if (!isObject(value)) {
        const message = describeValueFault(value);
        if (message !== undefined) faults.push({ path, message });
      } else if (path.length >= DATA_MAX_DEPTH)
        faults.push({ path, message: `must not be nested deeper than ${DATA_MAX_DEPTH} levels.` });
      else open.push({ value, path });
    }
  }
  return faults;
};

export type DataValue = string | number | boolean | { [key: string]: DataValue };
export type EventData = { [key: string]: DataValue };

const isEventData = (value: unknown): value is EventData => isObject(value) && findDataFaults(value).length === 0;

/** Repairs all keys and texts of the data. May recurse, because the depth was checked before. */
const repairData = (data: EventData): EventData =>
  Object.fromEntries(
    Object.entries(data).map(([key, value]): [string, DataValue] => {
      if (typeof value === "string") return [repairText(key), repairText(value)];
      return [repairText(key), typeof value === "object" ? repairData(value) : value];
    }),
  );

export const Data = v.pipe(
  v.custom<Record<string, unknown>>(isObject, "data must be an object."),
  v.rawTransform(({ dataset, addIssue, NEVER }): EventData => {
    const { value } = dataset;
    if (isEventData(value)) return repairData(value);
    for (const { path, message } of findDataFaults(value)) {
      const [first = "", ...rest] = path;
      addIssue({ message: `${path.at(-1)} ${message}`, path: toIssuePath(value, first, ...rest) });
    }
    return NEVER;
  }),
  v.check((data) => countJsonSize(data) <= DATA_MAX_BYTES, `data must have at most ${DATA_MAX_BYTES} bytes as JSON.`),
);

export const webAddressSchema = (field: string) =>
  v.pipe(textSchema(field, URL_MAX_CODE_POINTS), v.check(isWebAddress, `${field} must be an http or https URL.`));

/** Returns the schema of an optional field; `null` counts as absent. */
const optionalFieldSchema = <Value>(schema: v.GenericSchema<unknown, Value>) =>
  v.optional(
    v.pipe(
      v.nullable(schema),
      v.transform((value) => value ?? undefined),
    ),
  );

/** Returns the schema of an optional text; an empty text and `null` count as absent. */
const optionalTextSchema = (field: string, max: number) =>
  v.optional(
    v.pipe(
      v.nullable(repairedTextSchema(field, max, 0)),
      v.transform((value) => (value === null || value === "" ? undefined : value)),
    ),
  );

const entries = {
  event: SentEventKey,
  title: repairedTextSchema("title", TITLE_MAX_CODE_POINTS),
  body: repairedTextSchema("body", EVENT_BODY_MAX_CODE_POINTS),
  priority: v.nullish(PrioritySpelling, "NORMAL"),
  detail: optionalTextSchema("detail", DETAIL_MAX_CODE_POINTS),
  data: optionalFieldSchema(Data),
  /** Any text is accepted, but only http and https addresses become links. */
  url: optionalTextSchema("url", URL_MAX_CODE_POINTS),
  /** Another name for `url`, used if there is no `url`. */
  link: v.optional(v.unknown()),
  dedupeKey: optionalTextSchema("dedupeKey", DEDUPE_KEY_MAX_CODE_POINTS),
  requiresAck: optionalFieldSchema(v.boolean("requiresAck must be true or false.")),
  resolves: optionalTextSchema("resolves", DEDUPE_KEY_MAX_CODE_POINTS),
};

const Link = optionalTextSchema("link", URL_MAX_CODE_POINTS);
const hasUrl = ({ url }: { url?: unknown }): boolean => typeof url === "string" && url !== "";

/** Returns the schema of a sent event. `keySchema`: the schema of the event key. `link` is checked only without `url`. */
const eventInputSchema = (keySchema: v.GenericSchema<unknown, string>) =>
  v.pipe(
    v.object({ ...entries, event: keySchema }),
    v.rawCheck(({ dataset, addIssue }) => {
      const { value } = dataset;
      if (!isObject(value) || hasUrl(value)) return;
      const link = value["link"];
      for (const { message } of v.safeParse(Link, link).issues ?? [])
        addIssue({ message, path: [{ type: "object", origin: "value", input: value, key: "link", value: link }] });
    }),
    v.transform(({ event, priority, link, url, ...rest }) => {
      const address = url ?? (typeof link === "string" && link !== "" ? repairText(link) : undefined);
      return {
        ...rest,
        eventKey: event,
        priority: canonicalizePriority(priority),
        ...(address === undefined ? {} : { url: normalizeUrl(address) }),
      };
    }),
  );

/** An event as senders send it. Unknown fields are ignored. */
export const EventInput = /* @__PURE__ */ eventInputSchema(SentEventKey);
export type EventInput = v.InferOutput<typeof EventInput>;
/** An event of a dry run, which, unlike a sent event, may have an event key that is reserved for heartbeats. */
export const TriedEvent = /* @__PURE__ */ eventInputSchema(EventKey);

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
  resolve: "resolves",
  resolved: "resolves",
};

const fields = Object.keys(entries);
const WARNINGS_MAX = 20;
const NAME_SHOWN_CHARACTERS = 100;

/** Returns the field that the unknown `key` may mean: a similar name, or our name for another service's field; or undefined. */
const suggestFieldName = (key: string): string | undefined => {
  const word = key.toLowerCase().replace(/[^a-z]/g, "");
  return findNearest(key, fields) ?? (Object.hasOwn(otherNames, word) ? otherNames[word] : undefined);
};

/** Adds to the message about a missing field the unknown field of the input that was probably meant. */
export const addFieldSuggestion = (fault: Fault, input: object): Fault => {
  if (fault.code !== "required" || fault.message.endsWith("?")) return fault;
  const sent = Object.keys(input).find((key) => !fields.includes(key) && suggestFieldName(key) === fault.field);
  if (sent === undefined) return fault;
  const name = sent.slice(0, NAME_SHOWN_CHARACTERS);
  return { ...fault, message: `${fault.message} ${name} is unknown: did you mean ${fault.field}?` };
};

/** Returns a warning for each unknown field, with the name that was probably meant. */
const listUnknownFieldWarnings = (input: object): EventWarning[] =>
  Object.keys(input)
    .filter((field) => !fields.includes(field))
    .slice(0, WARNINGS_MAX)
    .map((key) => {
      const field = key.slice(0, NAME_SHOWN_CHARACTERS);
      const name = suggestFieldName(key);
      const question = name === undefined ? "" : `: did you mean ${name}?`;
      return {
        field,
        code: "unknown_field",
        message: `${field} is not a field of an event and was dropped${question === "" ? "." : question}`,
      };
    });

const decorations: readonly string[] = ["detail", "url", "dedupeKey", "resolves"];

/** Lists all texts, and the keys that contain NUL or lone surrogates, up to the maximum depth of data. */
const listTexts = (input: object, path = "", depth = 0): { field: string; text: string }[] =>
  Object.entries(input).flatMap(([key, value]: [string, unknown]) => {
    if (path === "" && !fields.includes(key)) return [];
    const field = path === "" ? key : `${path}.${key}`;
    const name = repairText(key) === key ? [] : [{ field: repairText(field), text: key }];
    if (typeof value === "string") return [...name, { field: repairText(field), text: value }];
    return isObject(value) && depth <= DATA_MAX_DEPTH ? [...name, ...listTexts(value, field, depth + 1)] : name;
  });

/** Returns warnings about repaired or ignored texts, which are not refused, because no alert may be lost. */
const listTextWarnings = (input: object): EventWarning[] => {
  const texts = listTexts(input);
  const removed = texts
    .filter(({ text: written }) => removeDirectionMarks(written) !== written)
    .map(({ field }) => createDirectionMarksWarning(field));
  const replaced = texts
    .filter(({ text: written }) => repairText(written) !== removeDirectionMarks(written))
    .map(({ field }) => ({
      field,
      code: "replaced",
      message: `${field} contained NUL or half of a surrogate pair, which was replaced by U+FFFD.`,
    }));
  const own = new Map<string, unknown>(Object.entries(input));
  const empty = decorations
    .filter((field) => own.get(field) === "")
    .map((field) => ({ field, code: "empty", message: `${field} is empty and was ignored.` }));
  const field = hasUrl({ url: own.get("url") }) ? "url" : "link";
  const address = own.get(field);
  const noLink = typeof address === "string" && address !== "" && !isWebAddress(address);
  const message = `${field} is not an http or https URL: it is shown as text.`;
  return [...removed, ...replaced, ...empty, ...(noLink ? [{ field, code: "no_link", message }] : [])];
};

/** Returns at most 20 warnings of each kind. */
export const listEventWarnings = (input: object): EventWarning[] => [
  ...listUnknownFieldWarnings(input),
  ...listTextWarnings(input).slice(0, WARNINGS_MAX),
];

/** The address and name of an event's site, from the event's data. */
export type Site = { site: string; name: string };

/** Returns the address of a site without slashes at its end, and with its host in lower case. */
export const canonicalizeSiteAddress = (address: string): string => {
  const url = URL.parse(address);
  if (url === null) return address;
  return url.search === "" && url.hash === "" ? url.href.replace(/\/+$/, "") : url.href;
};

/** Returns the site that the event's data name (`site` and `site_name`); undefined if either is missing or invalid. */
export const readSite = (data: EventData | undefined): Site | undefined => {
  const site = data !== undefined && Object.hasOwn(data, "site") ? data["site"] : undefined;
  const name = data !== undefined && Object.hasOwn(data, "site_name") ? data["site_name"] : undefined;
  return typeof site === "string" && typeof name === "string" && name !== "" && isWebAddress(site)
    ? { site: canonicalizeSiteAddress(site), name }
    : undefined;
};

/** Puts "Resolved" before the title, unless the title already begins with this word. */
export const toResolvedTitle = (title: string): string =>
  /^\W*resolved\b/i.test(title) ? title : `Resolved: ${title}`;

export const EventLink = v.object({ label: v.nullable(v.string()), url: v.string() });
export type EventLink = v.InferOutput<typeof EventLink>;

const LINKS = "links.";

/** Lists the links: `url` first, then the addresses in `data.links`, each only once. */
export const listEventLinks = (event: { url?: string | undefined; data?: EventData | undefined }): EventLink[] => {
  const { url, data = {} } = event;
  const named = Object.entries(data).flatMap(([key, value]) => {
    if (key === "links" && typeof value === "object") return Object.entries(value);
    return key.startsWith(LINKS) ? [[key.slice(LINKS.length), value] as const] : [];
  });
  const links = new Map<string, EventLink>(
    url === undefined || !isWebAddress(url) ? [] : [[url, { label: null, url }]],
  );
  for (const [label, address] of named)
    if (typeof address === "string" && isWebAddress(address) && (links.get(address)?.label ?? null) === null)
      links.set(address, { label, url: address });
  return [...links.values()];
};

/** Adds the site's name from the event's data; returns the text unchanged if the data name no site. */
export const addSiteName = <Text extends object>(
  text: Text,
  data: EventData | undefined,
): Text & { siteName?: string } => {
  const site = readSite(data);
  return site === undefined ? text : { ...text, siteName: site.name };
};

/** A heartbeat whose call did not arrive by `missedAt`. `calledAt`: when the next call arrived, or null. */
export const HeartbeatMiss = v.object({
  id: v.string(),
  name: v.string(),
  missedAt: v.string(),
  calledAt: v.nullable(v.string()),
});
export type HeartbeatMiss = v.InferOutput<typeof HeartbeatMiss>;

/** The API key that sent the event, or the event's heartbeat. */
export const Sender = v.object({ id: v.string(), name: v.string() });
export type Sender = v.InferOutput<typeof Sender>;

/** Returns the sender's identity. API keys with the same name are one sender, so that a new key can end an old key's alerts. */
export const identifySender = (sender: Sender | undefined): string => {
  if (sender === undefined) return "";
  return sender.id.startsWith("key_") ? `key:${sender.name}` : sender.id;
};

/** Returns the stored name of a `dedupeKey`. An alert's name contains the sender, because two tools may use the same ids. */
export const toClaimName = ({ alert, sender }: Pick<EventContent, "alert" | "sender">, key: string): string =>
  alert === true ? `\0${JSON.stringify([identifySender(sender), key])}` : key;

export const SenderName = textSchema("sender", NAME_MAX_CODE_POINTS);

export const addSender = (event: EventContent, senderName: string | undefined): EventContent =>
  senderName === undefined ? event : { ...event, sender: { id: "", name: senderName } };

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
  /** The dedupeKey of the events to resolve; with `resolvesAny`, also of other senders' events. */
  resolves: v.optional(v.string()),
  resolvesAny: v.optional(v.literal(true)),
  /** The key that earlier versions of the service used for the same alert, if different. */
  resolvesFormer: v.optional(v.string()),
  /** Whether a tool sent the event, so that `dedupeKey` or `resolves` identifies an alert of the sender. */
  alert: v.optional(v.literal(true)),
  /** The sender; absent in notices, and in events stored before senders were recorded. */
  sender: v.optional(Sender),
  /** When the alert changed, by the sender's clock (ms), but not after the event's arrival. Events may arrive out of order. */
  changedAt: v.optional(v.number()),
  /** The missed call, if the service created the event for a heartbeat. */
  heartbeat: v.optional(HeartbeatMiss),
  notice: v.optional(Notice),
  /** What a probe tests; only a probe, which notifies nobody, has this field. */
  probe: v.optional(EventProbe),
});
export type EventContent = v.InferOutput<typeof EventContent>;

/** An event, with the versions of the rules and people that are used to match it. */
export const AcceptedEvent = v.object({
  workspaceId: WorkspaceId,
  eventId: v.string(),
  /** When the event was accepted, in milliseconds since 1970. */
  receivedAt: v.number(),
  rulesVersion: v.number(),
  peopleVersion: v.number(),
  content: EventContent,
  /** The event that had the dedupeKey in `resolves` when this event arrived. */
  ends: v.optional(v.string()),
  /** Whether a newer change of the alert arrived before the event, so that the event ends nothing. */
  late: v.optional(v.boolean()),
  /** The page limit; absent if there were too few earlier events to reach the limit. */
  valve: v.optional(PageLimit),
  flapping: v.optional(Flapping),
  /** The event arrived during a shadow and never notifies anybody. */
  shadow: v.optional(v.literal(true)),
  /** The end of retention, in epoch seconds; absent in events stored before retention existed. */
  keptUntil: v.optional(Seconds),
});
export type AcceptedEvent = v.InferOutput<typeof AcceptedEvent>;
