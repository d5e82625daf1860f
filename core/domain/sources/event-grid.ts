import * as v from "valibot";
import { endedTitle } from "../event/event.ts";
import { timeOf, words, type Draft } from "./draft.ts";
import { at, reader } from "./paths.ts";

/** In the schema of Event Grid or, with `type`, in that of CloudEvents. */
const GridEvent = v.pipe(
  v.looseObject({ id: v.string(), eventType: v.optional(v.string()), type: v.optional(v.string()) }),
  v.check(({ eventType, type }) => (eventType ?? type) !== undefined),
);
/** A list or, in the schema of CloudEvents, also one event alone. */
export const GridEvents = v.union([
  v.array(GridEvent),
  v.pipe(
    GridEvent,
    v.transform((event) => [event]),
  ),
]);

const VALIDATION = "Microsoft.EventGrid.SubscriptionValidationEvent";

/** The code that Event Grid wants back before it sends events; undefined for anything else. */
export const validationCode = (body: unknown): string | undefined => {
  const events = v.safeParse(GridEvents, body);
  const asked = events.success
    ? events.output.find(({ eventType, type }) => (eventType ?? type) === VALIDATION)
    : undefined;
  return reader(asked)("data.validationCode");
};

const states = words({ Unavailable: "firing", Degraded: "firing", Available: "resolved" });

/** A resource's health is an alert while it is not available; any other event is a message. */
export const ofGridEvent = (event: v.InferOutput<typeof GridEvent>): Draft[] => {
  const say = reader(event);
  const type = event.eventType ?? event.type ?? "";
  if (type === VALIDATION) return [];
  const health = "data.resourceInfo.properties";
  const [state, resource] = [say(`${health}.availabilityState`), say(`${health}.targetResourceId`)];
  const action = states.get(state ?? "") ?? "info";
  const name = resource?.split("/").at(-1) ?? say("subject") ?? "";
  const title =
    action === "info" ? `${type.split(".").at(-1) ?? type}: ${name}` : `${name} is ${state?.toLowerCase() ?? ""}`;
  return [
    {
      action,
      title: action === "resolved" ? endedTitle(title) : title,
      body: say(`${health}.summary`, "data.summary", "data.message", "data.title", "subject") ?? title,
      priority: action === "firing" ? "HIGH" : undefined,
      data: { type, subject: say("subject"), topic: say("topic", "source"), data: at(event, "data") },
      changedAt: timeOf(say(`${health}.occurredTime`, "eventTime", "time")),
      key: resource === undefined ? undefined : `health:${resource.toLowerCase()}`,
      once: `event:${event.id}`,
    },
  ];
};
