import * as v from "valibot";
import { readClock } from "../../../core/domain/basics/clock/clock-text.ts";
import { TimeZone } from "../../../core/domain/basics/clock/week.ts";

/** The schemas ignore unused fields of the API's answers. */

const id = v.pipe(v.string("an id must be a string."), v.nonEmpty("an id must not be empty."));
const maybe = v.nullish(v.string("must be a string."));
const arraySchema = <Item>(item: v.GenericSchema<unknown, Item>) => v.nullish(v.array(item, "must be a list."), []);
const LOCAL = "must be a date and time such as 2026-03-02T09:00:00.";
/** A local time. OnCall writes local times without a zone, and ignores offsets. */
const local = v.pipe(
  v.string(LOCAL),
  v.transform((text) => text.replace(/(?:Z|[+-]\d\d:?\d\d)$/, "")),
  v.check((text) => readClock(text) !== undefined, LOCAL),
  v.transform((text) => {
    const reading = readClock(text);
    return reading?.kind === "local" ? reading.local : 0;
  }),
);
const integerSchema = (message: string, min: number) =>
  v.pipe(v.number(message), v.integer(message), v.minValue(min, message));

const DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const;
/** A day of the week; 0 is Monday. */
const day = v.pipe(
  v.picklist(DAYS, `a day must be one of ${DAYS.join(", ")}.`),
  v.transform((day) => DAYS.indexOf(day)),
);

export const User = v.object({ id, email: maybe, username: maybe, role: maybe, teams: arraySchema(v.string()) });
export type User = v.InferOutput<typeof User>;

/** A notification step of a user. `important`: whether the step is for alerts that an escalation marks as important. */
export const OwnStep = v.object({
  user_id: id,
  position: v.nullish(v.number(), 0),
  type: v.nullish(v.string("type must be a string."), ""),
  duration: v.nullish(v.number(), 0),
  important: v.nullish(v.boolean(), false),
});
export type OwnStep = v.InferOutput<typeof OwnStep>;

export const Shift = v.object({
  id,
  name: maybe,
  type: v.picklist(
    ["rolling_users", "recurrent_event", "single_event", "override"],
    "type must be rolling_users, recurrent_event, single_event or override.",
  ),
  level: v.nullish(integerSchema("level must be a whole number.", 0), 0),
  start: local,
  duration: integerSchema("duration must be a number of seconds.", 1),
  rotation_start: v.nullish(local, null),
  /** The end of the shift, in UTC. */
  until: v.nullish(local, null),
  frequency: v.nullish(
    v.picklist(["hourly", "daily", "weekly", "monthly"], "frequency must be hourly, daily, weekly or monthly."),
    null,
  ),
  interval: v.nullish(integerSchema("interval must be a whole number of at least 1.", 1), 1),
  week_start: v.nullish(day, "SU"),
  by_day: v.nullish(v.array(day, "by_day must be a list of days."), null),
  by_month: v.nullish(v.array(v.unknown()), null),
  by_monthday: v.nullish(v.array(v.unknown()), null),
  users: arraySchema(v.string("a user must be an id.")),
  rolling_users: arraySchema(v.array(v.string("a user must be an id."), "a turn must be a list of users.")),
  start_rotation_from_user_index: v.nullish(integerSchema("start_rotation_from_user_index must be 0 or more.", 0), 0),
  time_zone: v.nullish(TimeZone),
});
export type Shift = v.InferOutput<typeof Shift>;

export const Schedule = v.object({
  id,
  name: v.string("name must be a string."),
  type: v.nullish(v.string(), "web"),
  time_zone: v.nullish(TimeZone, "UTC"),
  shifts: arraySchema(v.string("a shift must be an id.")),
});
export type Schedule = v.InferOutput<typeof Schedule>;

export const Chain = v.object({ id, name: v.string("name must be a string.") });
export type Chain = v.InferOutput<typeof Chain>;
export const Step = v.object({
  id,
  escalation_chain_id: id,
  position: v.nullish(v.number(), 0),
  type: v.nullish(v.string("type must be a string."), ""),
  duration: v.nullish(v.number()),
  notify_on_call_from_schedule: maybe,
  persons_to_notify: arraySchema(v.string()),
  persons_to_notify_next_each_time: arraySchema(v.string()),
  notify_to_team_members: maybe,
});
export type Step = v.InferOutput<typeof Step>;

export const Integration = v.object({
  id,
  name: maybe,
  type: v.nullish(v.string("type must be a string."), "webhook"),
  templates: v.nullish(v.object({ grouping_key: maybe })),
});
export type Integration = v.InferOutput<typeof Integration>;
export const Route = v.object({
  id,
  integration_id: id,
  escalation_chain_id: maybe,
  position: v.nullish(v.number(), 0),
  routing_type: v.nullish(v.string(), "regex"),
  routing_regex: maybe,
  is_the_last_route: v.nullish(v.boolean(), false),
});

export type Route = v.InferOutput<typeof Route>;

export const Team = v.object({ id, name: v.string("name must be a string.") });
