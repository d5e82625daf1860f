import * as v from "valibot";
import { toResolvedTitle } from "../event/event.ts";
import { parseTime, mapStates, type Draft } from "./draft.ts";
import { valueAt, createTextReader } from "./paths.ts";

/** The Event Grid schema or, if `type` is set, the CloudEvents schema. */
const GridEvent = v.pipe(
  v.looseObject({ id: v.string(), eventType: v.optional(v.string()), type: v.optional(v.string()) }),
  v.check(({ eventType, type }) => (eventType ?? type) !== undefined),
);
/** The CloudEvents schema also allows a single event. */
export const GridEvents = v.union([
  v.array(GridEvent),
  v.pipe(
    GridEvent,
    v.transform((event) => [event]),
  ),
]);

const VALIDATION = "Microsoft.EventGrid.SubscriptionValidationEvent";

/** Event Grid expects the answer to a validation request to repeat its code. */
export const findValidationCode = (body: unknown): string | undefined => {
  const events = v.safeParse(GridEvents, body);
  const asked = events.success
    ? events.output.find(({ eventType, type }) => (eventType ?? type) === VALIDATION)
    : undefined;
  return createTextReader(asked)("data.validationCode");
};

const states = mapStates({ Unavailable: "firing", Degraded: "firing", Available: "resolved" });

/** The health of a resource is an alert while the resource is unavailable. Other events are information. */
export const draftsOfGridEvent = (event: v.InferOutput<typeof GridEvent>): Draft[] => {
  const say = createTextReader(event);
  const type = event.eventType ?? event.type ?? "";
  if (type === VALIDATION) return [];
  const health = "data.resourceInfo.properties";
  const [state, resource] = [say(`${health}.availabilityState`), say(`${health}.targetResourceId`)];
  const action = states.get(state) ?? "info";
  const name = resource?.split("/").at(-1) ?? say("subject") ?? "";
  const title =
    action === "info" ? `${type.split(".").at(-1) ?? type}: ${name}` : `${name} is ${String(state).toLowerCase()}`;
  return [
    {
      action,
      title: action === "resolved" ? toResolvedTitle(title) : title,
      body: say(`${health}.summary`, "data.summary", "data.message", "data.title", "subject") ?? title,
      priority: "HIGH",
      data: { type, subject: say("subject"), topic: say("topic", "source"), data: valueAt(event, "data") },
      changedAt: parseTime(say(`${health}.occurredTime`, "eventTime", "time")),
      key: resource === undefined ? undefined : `health:${resource.toLowerCase()}`,
      once: `event:${event.id}`,
    },
  ];
};
