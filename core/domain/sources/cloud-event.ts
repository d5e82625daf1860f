import * as v from "valibot";
import { keyMeant, SentEventKey } from "../basics/event-key.ts";
import { canonicalPriority, type Priority, PrioritySpelling } from "../basics/priority.ts";
import type { Fault } from "../basics/refusal.ts";
import { Data, type EventData, type EventInput } from "../event/event.ts";
import { first, priorityOf } from "./draft.ts";
import { dedupeKeyOf, fitData, fitTexts } from "./fit.ts";

/** The content type of a CloudEvent in structured mode. */
export const CLOUD_EVENT_TYPE = "application/cloudevents+json";

const attribute = (name: string) =>
  v.pipe(v.string(`${name} must be a string.`), v.nonEmpty(`${name} must not be empty.`));

const Attributes = v.object({
  specversion: v.literal("1.0", 'specversion must be "1.0".'),
  id: attribute("id"),
  source: attribute("source"),
  type: attribute("type"),
  subject: v.nullish(v.string("subject must be a string.")),
  data: v.optional(v.unknown()),
  /** No attribute of CloudEvents itself, but one that a sender may add. */
  priority: v.optional(v.unknown()),
});

/** What the data says in words. */
const messageOf = (data: unknown): unknown =>
  typeof data === "object" && data !== null && "message" in data ? data.message : data;

const levelOf = (priority: unknown, warnings: Fault[]): Priority => {
  if (priority === undefined || priority === null) return "NORMAL";
  const level = v.is(PrioritySpelling, priority) ? canonicalPriority(priority) : priorityOf(priority);
  if (level === undefined)
    warnings.push({ field: "priority", code: "replaced", message: "priority was taken as NORMAL: it names none." });
  return level ?? "NORMAL";
};

/** The data as it is, where it is what an event's data may be; otherwise what fits of it. */
const dataOf = (data: unknown, warnings: Fault[]): EventData | undefined => {
  if (typeof data !== "object" || data === null) return undefined;
  const whole = v.safeParse(Data, data);
  return whole.success ? whole.output : fitData({ ...data }, warnings);
};

/** An event, and what of it was taken in another way than it was sent. */
type Taken = { event: EventInput; warnings: Fault[] };

/** A CloudEvent 1.0 as the event that it becomes. Extension attributes other than `priority` are not kept. */
export const CloudEvent = v.pipe(
  Attributes,
  v.rawTransform(({ dataset: { value: sent }, addIssue, NEVER }): Taken => {
    const { id, source, type, subject, data, priority } = sent;
    const key = v.safeParse(SentEventKey, v.is(SentEventKey, type) ? type : (keyMeant(type) ?? type));
    if (!key.success) {
      const path = [
        { type: "object" as const, origin: "value" as const, input: sent, key: "type", value: type },
      ] as const;
      for (const { message } of key.issues) addIssue({ message, path: [...path] });
      return NEVER;
    }
    const warnings: Fault[] = [];
    if (key.output !== type)
      warnings.push({ field: "type", code: "replaced", message: `type was taken as the event key ${key.output}.` });
    const texts = fitTexts({ title: first(subject) ?? type, body: first(messageOf(data)) ?? source }, type, warnings);
    const kept = dataOf(data, warnings);
    const event = {
      eventKey: key.output,
      ...texts,
      priority: levelOf(priority, warnings),
      ...(kept === undefined ? {} : { data: kept }),
      // What identifies a CloudEvent. A source is a URI reference, which holds no blank.
      dedupeKey: dedupeKeyOf(`${source} ${id}`),
    };
    return { event, warnings };
  }),
);
