import * as v from "valibot";
import { toResolvedTitle } from "../event/event.ts";
import { parseTime, mapStates, type Draft } from "./draft.ts";
import { findValueAt, createTextReader } from "./paths.ts";

/** An event in the Event Grid schema or, if `type` is set, in the CloudEvents schema. */
const GridEvent = v.pipe(
  v.looseObject({ id: v.string(), eventType: v.optional(v.string()), type: v.optional(v.string()) }),
  v.check(({ eventType, type }) => (eventType ?? type) !== undefined),
);
/** What Event Grid sends: a list of events or, in the CloudEvents schema, also a single event. */
export const GridEvents = v.union([
  v.array(GridEvent),
  v.pipe(
    GridEvent,
    v.transform((event) => [event]),
  ),
]);

const VALIDATION = "Microsoft.EventGrid.SubscriptionValidationEvent";

/** Returns the code of a validation request, which Event Grid expects in the answer; undefined for other requests. */
export const findValidationCode = (body: unknown): string | undefined => {
  const events = v.safeParse(GridEvents, body);
  const asked = events.success
    ? events.output.find(({ eventType, type }) => (eventType ?? type) === VALIDATION)
    : undefined;
  return createTextReader(asked)("data.validationCode");
};

const states = mapStates({ Unavailable: "firing", Degraded: "firing", Available: "resolved" });

/** Converts an event. An unavailable resource is an alert until it is available. Any other event becomes information. */
export const toGridEventDrafts = (event: v.InferOutput<typeof GridEvent>): Draft[] => {
  const read = createTextReader(event);
  const type = event.eventType ?? event.type ?? "";
  if (type === VALIDATION) return [];
  const health = "data.resourceInfo.properties";
  const [state, resource] = [read(`${health}.availabilityState`), read(`${health}.targetResourceId`)];
  const action = states.get(state) ?? "info";
  const name = resource?.split("/").at(-1) ?? read("subject") ?? "";
  const title =
    action === "info" ? `${type.split(".").at(-1) ?? type}: ${name}` : `${name} is ${String(state).toLowerCase()}`;
  return [
    {
      action,
      title: action === "resolved" ? toResolvedTitle(title) : title,
      body: read(`${health}.summary`, "data.summary", "data.message", "data.title", "subject") ?? title,
      priority: "HIGH",
      data: { type, subject: read("subject"), topic: read("topic", "source"), data: findValueAt(event, "data") },
      changedAt: parseTime(read(`${health}.occurredTime`, "eventTime", "time")),
      key: resource === undefined ? undefined : `health:${resource.toLowerCase()}`,
      once: `event:${event.id}`,
    },
  ];
};
