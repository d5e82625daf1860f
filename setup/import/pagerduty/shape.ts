import * as v from "valibot";
import { readInstant } from "../../../core/domain/basics/clock/clock-text.ts";
import { TimeZone } from "../../../core/domain/basics/clock/week.ts";

/** The schemas ignore unused fields of the API's answers. */

const id = v.pipe(v.string("an id must be a string."), v.nonEmpty("an id must not be empty."));
const name = v.optional(v.string("must be a string."));
const INSTANT = "must be a time with Z or an offset, such as 2026-03-02T09:00:00-05:00.";
const instant = v.pipe(
  v.string(INSTANT),
  v.check((text) => readInstant(text) !== undefined, INSTANT),
  v.transform((text) => readInstant(text) ?? 0),
);
const arraySchema = <Item>(item: v.GenericSchema<unknown, Item>) => v.array(item, "must be a list.");
const numberSchema = (message: string) => v.pipe(v.number(message), v.integer(message), v.minValue(0, message));

export const Reference = v.object({ id, type: name, summary: name, name });
export type Reference = v.InferOutput<typeof Reference>;

const Contact = v.object({
  id,
  type: name,
  address: v.optional(v.string("must be a string."), ""),
  country_code: v.nullish(v.number("must be a number.")),
});

export const User = v.object({
  id,
  name,
  email: v.pipe(
    v.string("email must be a string with the user's email address."),
    v.email("email must be an email address."),
  ),
  role: name,
  teams: v.optional(arraySchema(Reference), []),
  contact_methods: v.optional(arraySchema(Contact), []),
  notification_rules: v.optional(
    arraySchema(
      v.object({
        start_delay_in_minutes: v.optional(numberSchema("start_delay_in_minutes must be a number of minutes."), 0),
        urgency: name,
        contact_method: v.nullish(v.object({ id, type: name })),
      }),
    ),
    [],
  ),
});
export type User = v.InferOutput<typeof User>;

const TIME_OF_DAY = 'start_time_of_day must be a time such as "08:00:00".';
export const Restriction = v.object({
  type: v.picklist(
    ["daily_restriction", "weekly_restriction"],
    "type must be daily_restriction or weekly_restriction.",
  ),
  start_time_of_day: v.pipe(
    v.string(TIME_OF_DAY),
    v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/, TIME_OF_DAY),
    v.transform((text) => {
      const [hours = 0, minutes = 0, seconds = 0] = text.split(":").map(Number);
      return hours * 3_600 + minutes * 60 + seconds;
    }),
  ),
  duration_seconds: v.pipe(v.number(), v.minValue(1, "duration_seconds must be above 0.")),
  /** The day of the week; 1 is Monday. */
  start_day_of_week: v.optional(
    v.pipe(v.number(), v.minValue(1), v.maxValue(7, "start_day_of_week must be from 1 (Monday) to 7.")),
    1,
  ),
});

const Entry = v.object({ start: instant, end: instant, user: v.nullish(Reference) });
export type Entry = v.InferOutput<typeof Entry>;
const Rendered = v.nullish(v.object({ rendered_schedule_entries: v.optional(arraySchema(Entry), []) }));

export const Layer = v.object({
  name,
  start: instant,
  end: v.nullish(instant),
  rotation_virtual_start: instant,
  rotation_turn_length_seconds: v.pipe(
    v.number("rotation_turn_length_seconds must be a number of seconds."),
    v.minValue(1, "rotation_turn_length_seconds must be above 0."),
  ),
  users: arraySchema(v.object({ user: Reference })),
  restrictions: v.nullish(arraySchema(Restriction), []),
});
export type Layer = v.InferOutput<typeof Layer>;

export const Schedule = v.object({
  id,
  name: v.string("name must be a string."),
  time_zone: TimeZone,
  /** The layer with the highest precedence comes first. */
  schedule_layers: v.nullish(v.array(Layer, "schedule_layers must be a list.")),
  overrides_subschedule: Rendered,
  final_schedule: Rendered,
});
export type Schedule = v.InferOutput<typeof Schedule>;

export const OnCall = v.object({
  schedule: v.nullish(Reference),
  user: Reference,
  start: v.nullish(instant),
  end: v.nullish(instant),
});
export type OnCall = v.InferOutput<typeof OnCall>;

export const Policy = v.object({
  id,
  name: v.string("name must be a string."),
  num_loops: v.optional(numberSchema("num_loops must be a number of times."), 0),
  escalation_rules: arraySchema(
    v.object({
      escalation_delay_in_minutes: numberSchema("escalation_delay_in_minutes must be a number of minutes."),
      targets: arraySchema(Reference),
      escalation_rule_assignment_strategy: v.nullish(v.object({ type: v.string() })),
    }),
  ),
});
export type Policy = v.InferOutput<typeof Policy>;

export const Service = v.object({
  id,
  name: v.string("name must be a string."),
  status: v.optional(v.string(), "active"),
  escalation_policy: Reference,
  integrations: v.optional(
    arraySchema(v.object({ ...Reference.entries, vendor: v.nullish(v.object({ summary: v.nullish(v.string()) })) })),
    [],
  ),
  incident_urgency_rule: v.nullish(v.object({ type: v.string(), urgency: v.optional(v.string()) })),
  /** `timeout`: in minutes; `time_window`: in seconds, 0 for the recommended value. */
  alert_grouping_parameters: v.nullish(
    v.object({
      type: v.nullish(v.string("type must be a string.")),
      config: v.nullish(
        v.object({
          timeout: v.nullish(numberSchema("timeout must be a number of minutes.")),
          aggregate: v.nullish(v.string("aggregate must be all or any.")),
          fields: v.nullish(arraySchema(v.string("a field must be a string.")), []),
          time_window: v.nullish(numberSchema("time_window must be a number of seconds.")),
          recommended_time_window: v.nullish(numberSchema("recommended_time_window must be a number of seconds.")),
        }),
      ),
    }),
  ),
  auto_resolve_timeout: v.nullish(numberSchema("auto_resolve_timeout must be a number of seconds.")),
  acknowledgement_timeout: v.nullish(numberSchema("acknowledgement_timeout must be a number of seconds.")),
});
export type Service = v.InferOutput<typeof Service>;

const RouterRule = v.object({
  label: v.nullish(v.string()),
  disabled: v.optional(v.boolean(), false),
  conditions: v.optional(arraySchema(v.object({ expression: v.string("expression must be a string.") })), []),
  actions: v.object({ route_to: v.nullish(v.string()), dynamic_route_to: v.nullish(v.unknown()) }),
});
export type RouterRule = v.InferOutput<typeof RouterRule>;

const parent = v.optional(v.object({ id }), { id: "without an id" });
const Router = v.object({
  type: v.literal("router"),
  parent,
  sets: arraySchema(v.object({ id: v.string(), rules: arraySchema(RouterRule) })),
  catch_all: v.nullish(v.object({ actions: v.object({ route_to: v.nullish(v.string()) }) })),
});
export type Router = v.InferOutput<typeof Router>;

/** The router selects an event's service; the other paths change or suppress events. */
export const OrchestrationPath = v.variant(
  "type",
  [Router, v.object({ type: v.picklist(["global", "service", "unrouted"]), parent })],
  "type must be router, global, service or unrouted.",
);

export const Team = v.object({ id, name, summary: name });
