import * as v from "valibot";
import { suggestEventKey, SentEventKey } from "../basics/event-key.ts";
import { canonicalizePriority, type Priority, PrioritySpelling } from "../basics/priority.ts";
import { toIssuePath, type EventWarning } from "../basics/refusal.ts";
import { Data, type EventData, type EventInput } from "../event/event.ts";
import { findText, severityToPriority } from "./draft.ts";
import { shortenDedupeKey, fitData, fitEventTexts } from "./fit.ts";

/** The content types of one CloudEvent and of several in structured mode. */
export const CLOUD_EVENT_TYPE = "application/cloudevents+json";
export const CLOUD_EVENTS_TYPE = "application/cloudevents-batch+json";

const HEADER = "ce-";

/** Decodes escapes such as `%C3%A9`. Returns a header with an invalid escape unchanged. */
const decodeHeader = (header: string): string => {
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
};

/** Returns the attributes of a CloudEvent in binary mode; undefined for another request. Header names are in lower case. */
export const readAttributes = (headers: ReadonlyMap<string, string>): Record<string, string> | undefined => {
  const own = [...headers].filter(([name]) => name.startsWith(HEADER));
  if (!headers.has(`${HEADER}specversion`)) return undefined;
  return Object.fromEntries(own.map(([name, header]) => [name.slice(HEADER.length), decodeHeader(header)]));
};

const attributeSchema = (name: string) =>
  v.pipe(v.string(`${name} must be a string.`), v.nonEmpty(`${name} must not be empty.`));

const Attributes = v.looseObject({
  specversion: v.literal("1.0", 'specversion must be "1.0".'),
  id: attributeSchema("id"),
  source: attributeSchema("source"),
  type: attributeSchema("type"),
  subject: v.nullish(v.string("subject must be a string.")),
  data: v.optional(v.unknown()),
  /** The extension attribute of this service, with which senders set the priority. */
  priority: v.optional(v.unknown()),
});

/** Returns the part of the data with title and body: `message`, or else the data itself. */
const pickPartWithTexts = (data: unknown): unknown =>
  typeof data === "object" && data !== null && "message" in data ? data.message : data;

/** Returns the priority; without one, NORMAL. An unknown priority becomes NORMAL, with a warning. */
const readPriority = (priority: unknown, warnings: EventWarning[]): Priority => {
  if (priority === undefined || priority === null) return "NORMAL";
  const level = v.is(PrioritySpelling, priority) ? canonicalizePriority(priority) : severityToPriority(priority);
  if (level === undefined)
    warnings.push({
      field: "priority",
      code: "replaced",
      message: "priority is NORMAL, because the event has no priority.",
    });
  return level ?? "NORMAL";
};

/** Returns the data; undefined if the data is not an object. Shortens or leaves out what cannot be stored, with a warning. */
const readData = (data: unknown, warnings: EventWarning[]): EventData | undefined => {
  if (typeof data !== "object") return undefined;
  const whole = v.safeParse(Data, data);
  return whole.success ? whole.output : fitData({ ...data }, warnings);
};

/** The attributes that cause no warning, because the adapter uses them, or because they mean nothing for an alert. */
const KNOWN = "specversion id source type subject data priority time datacontenttype dataschema traceparent tracestate";

export type TakenCloudEvent = { event: EventInput; warnings: EventWarning[] };

/** The schema of a CloudEvent (1.0). An extension attribute other than `priority` is not stored, and causes a warning. */
export const CloudEvent = v.pipe(
  Attributes,
  v.rawTransform(({ dataset: { value: sent }, addIssue, NEVER }): TakenCloudEvent => {
    const { id, source, type, subject, data, priority } = sent;
    const key = v.safeParse(SentEventKey, v.is(SentEventKey, type) ? type : (suggestEventKey(type) ?? type));
    if (!key.success) {
      for (const { message } of key.issues) addIssue({ message, path: toIssuePath(sent, "type") });
      return NEVER;
    }
    const warnings: EventWarning[] = [];
    if (key.output !== type)
      warnings.push({ field: "type", code: "replaced", message: `The event key is ${key.output}, derived from type.` });
    for (const field of Object.keys(sent).filter((name) => !KNOWN.split(" ").includes(name)))
      warnings.push({ field, code: "unknown_field", message: `${field} was dropped.` });
    const texts = fitEventTexts(
      { title: findText(subject) ?? type, body: findText(pickPartWithTexts(data)) ?? source },
      type,
      warnings,
    );
    const kept = readData(data, warnings);
    const event = {
      eventKey: key.output,
      ...texts,
      priority: readPriority(priority, warnings),
      ...(kept === undefined ? {} : { data: kept }),
      // A blank separates the source from the id, because a source is a URI reference and contains no blanks.
      dedupeKey: shortenDedupeKey(`${source} ${id}`),
    };
    return { event, warnings };
  }),
);

export const CloudEvents = v.array(CloudEvent);
