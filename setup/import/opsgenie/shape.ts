import * as v from "valibot";
import { readInstant } from "../../../core/domain/basics/clock/clock-text.ts";
import { TimeZone } from "../../../core/domain/basics/clock/week.ts";

/** The schemas ignore unused fields of the backup. A kind may be in upper or lower case. */

const word = v.pipe(
  v.string("must be a string."),
  v.transform((text) => text.toLowerCase().replaceAll("_", "-")),
);
const name = v.pipe(v.string("name must be a string."), v.nonEmpty("name must not be empty."));
const maybe = v.nullish(v.string("must be a string."));
const INSTANT = "must be a time with Z or an offset, such as 2026-03-02T09:00:00Z.";
const instant = v.union(
  [
    v.pipe(
      v.string(),
      v.check((text) => readInstant(text) !== undefined, INSTANT),
      v.transform((text) => readInstant(text) ?? 0),
    ),
    v.number(),
  ],
  INSTANT,
);
const arraySchema = <Item>(item: v.GenericSchema<unknown, Item>) => v.nullish(v.array(item, "must be a list."), []);
const integerSchema = (message: string, min: number, max: number) =>
  v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message));
const hour = v.nullish(integerSchema("an hour must be from 0 to 23.", 0, 23), 0);
const minute = v.nullish(integerSchema("a minute must be from 0 to 59.", 0, 59), 0);

/** Returns the schema of an item that newer backups put inside another object, in its field `field`. */
const wrappedSchema = <Inner>(field: string, inner: v.GenericSchema<unknown, Inner>) =>
  v.pipe(
    v.looseObject({}),
    v.transform((value): unknown => value[field] ?? value),
    inner,
  );

export const User = wrappedSchema(
  "user",
  v.object({
    id: maybe,
    username: v.string("username must be the email address."),
    fullName: maybe,
    role: v.nullish(v.object({ name: maybe })),
    blocked: v.nullish(v.boolean(), false),
    userContacts: v.nullish(
      v.array(v.object({ contactMethod: v.nullish(word, ""), to: v.nullish(v.string(), "") })),
      [],
    ),
  }),
);
export type User = v.InferOutput<typeof User>;

export const Recipient = v.object({ type: v.nullish(word, "user"), id: maybe, username: maybe, name: maybe });
export type Recipient = v.InferOutput<typeof Recipient>;

export const Team = wrappedSchema(
  "team",
  v.object({
    id: maybe,
    name,
    members: arraySchema(v.object({ user: v.object({ id: maybe, username: maybe }), role: v.nullish(word, "user") })),
  }),
);
export type Team = v.InferOutput<typeof Team>;

const times = { startHour: hour, startMin: minute, endHour: hour, endMin: minute };
const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
const day = v.pipe(
  word,
  v.picklist(DAYS, `a day must be one of ${DAYS.join(", ")}.`),
  v.transform((day) => DAYS.indexOf(day)),
);
const TimeOfDay = v.object(times);
const WeekHours = v.object({ ...times, startDay: day, endDay: day });
export const TimeRestriction = v.pipe(
  v.looseObject({ type: word }),
  v.transform(({ type, restriction, restrictions, restrictionList }): unknown => ({
    type,
    restriction,
    restrictions: restrictions ?? restrictionList,
  })),
  v.variant(
    "type",
    [
      v.object({ type: v.literal("time-of-day"), restriction: TimeOfDay }),
      v.object({ type: v.literal("weekday-and-time-of-day"), restrictions: v.array(WeekHours, "must be a list.") }),
    ],
    "type must be time-of-day or weekday-and-time-of-day.",
  ),
);
export type TimeRestriction = v.InferOutput<typeof TimeRestriction>;

export const Rotation = v.object({
  id: maybe,
  name: maybe,
  startDate: instant,
  endDate: v.nullish(instant),
  type: v.pipe(word, v.picklist(["hourly", "daily", "weekly"], "type must be hourly, daily or weekly.")),
  length: v.nullish(integerSchema("length must be a whole number from 1 to 1000.", 1, 1_000), 1),
  participants: arraySchema(Recipient),
  timeRestriction: v.nullish(TimeRestriction),
});
export type Rotation = v.InferOutput<typeof Rotation>;

export const Schedule = wrappedSchema(
  "schedule",
  v.object({
    id: maybe,
    name,
    timezone: TimeZone,
    enabled: v.nullish(v.boolean(), true),
    rotations: arraySchema(Rotation),
  }),
);
export type Schedule = v.InferOutput<typeof Schedule>;

export const Override = v.object({
  user: Recipient,
  startDate: instant,
  endDate: instant,
  /** The rotations that the override replaces; if empty, all rotations. */
  rotations: arraySchema(v.object({ id: maybe, name: maybe })),
});
export type Override = v.InferOutput<typeof Override>;

const MINUTES: Readonly<Record<string, number>> = { seconds: 1 / 60, minutes: 1, hours: 60, days: 1_440 };
const Delay = v.union(
  [
    v.number(),
    v.pipe(
      v.object({ timeAmount: v.nullish(v.number(), 0), timeUnit: v.nullish(word, "minutes") }),
      v.transform(({ timeAmount, timeUnit }) => timeAmount * (MINUTES[timeUnit] ?? 1)),
    ),
  ],
  "delay must be {timeAmount, timeUnit}.",
);

export const Escalation = v.object({
  id: maybe,
  name,
  rules: arraySchema(
    v.object({
      condition: v.nullish(word, "if-not-acked"),
      notifyType: v.nullish(word, "default"),
      delay: v.nullish(Delay, 0),
      recipient: Recipient,
    }),
  ),
  repeat: v.nullish(v.object({ waitInterval: v.nullish(v.number(), 0), count: v.nullish(v.number(), 1) })),
});
export type Escalation = v.InferOutput<typeof Escalation>;

export const RoutingRule = v.object({
  name: maybe,
  order: v.nullish(v.number(), 0),
  isDefault: v.nullish(v.boolean(), false),
  criteria: v.nullish(
    v.object({
      type: v.nullish(word, "match-all"),
      conditions: arraySchema(
        v.object({
          field: word,
          key: maybe,
          not: v.nullish(v.boolean(), false),
          operation: word,
          expectedValue: maybe,
        }),
      ),
    }),
  ),
  timezone: v.nullish(TimeZone),
  timeRestriction: v.nullish(TimeRestriction),
  notify: v.nullish(v.object({ type: word, id: maybe, name: maybe })),
});
export type RoutingRule = v.InferOutput<typeof RoutingRule>;

export const NotificationRule = v.object({
  name: maybe,
  actionType: v.nullish(word, "create-alert"),
  enabled: v.nullish(v.boolean(), true),
  criteria: v.nullish(v.object({ type: v.nullish(word, "match-all") })),
  steps: arraySchema(
    v.object({
      contact: v.object({ method: v.nullish(word, "") }),
      sendAfter: v.nullish(Delay, 0),
      enabled: v.nullish(v.boolean(), true),
    }),
  ),
});
export type NotificationRule = v.InferOutput<typeof NotificationRule>;

export const Integration = wrappedSchema(
  "integration",
  v.object({
    id: maybe,
    name,
    type: v.nullish(v.string(), "API"),
    enabled: v.nullish(v.boolean(), true),
    /** The team that gets all alerts of the integration. */
    ownerTeam: v.nullish(v.object({ id: maybe, name: maybe })),
    /** Recipients of alerts without responders. */
    responders: arraySchema(Recipient),
    ignoreRespondersFromPayload: v.nullish(v.boolean(), false),
    ignoreTeamsFromPayload: v.nullish(v.boolean(), false),
    suppressNotifications: v.nullish(v.boolean(), false),
  }),
);
export type Integration = v.InferOutput<typeof Integration>;

const nested = v.nullish(v.array(v.unknown()), []);

/** The lists of overrides, routing rules and notification rules in the file of a schedule, team or user. */
export const Beside = v.pipe(
  v.object({
    scheduleOverrideList: nested,
    scheduleOverrides: nested,
    overrides: nested,
    teamRoutingRules: nested,
    routingRules: nested,
    notificationRuleList: nested,
  }),
  v.transform((beside) => ({
    overrides: [...beside.scheduleOverrideList, ...beside.scheduleOverrides, ...beside.overrides],
    routingRules: [...beside.teamRoutingRules, ...beside.routingRules],
    notificationRules: beside.notificationRuleList,
  })),
);
