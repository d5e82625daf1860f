import * as v from "valibot";
import { GROUP_FIELDS_MAX, GROUP_MINUTES_MAX } from "../../../core/domain/rules/grouping.ts";
import { Field } from "../../../core/domain/rules/matching/field.ts";
import type { Draft } from "../draft.ts";
import type { Grouping } from "../rules.ts";
import type { Service } from "./shape.ts";

/* Rules can express only a part of PagerDuty's grouping. */

const KEPT: Readonly<Record<string, string | undefined>> = {
  summary: "title",
  severity: "data.severity",
  source: "data.source",
  component: "data.component",
  group: "data.group",
  class: "data.class",
};
const DETAILS = "custom_details.";

/** Returns the event field for a field of PagerDuty's alert grouping; undefined if no field corresponds. */
const findEventField = (field: string): string | undefined => {
  const kept = field.startsWith(DETAILS) ? `data.details.${field.slice(DETAILS.length)}` : KEPT[field];
  return v.is(Field, kept) ? kept : undefined;
};

const RINGS = "Here an alert of a higher severity pages even if its group has paged already.";
const ROLLING = "PagerDuty counts the time from the latest alert of a group; a rule counts from the first alert.";
const A_DAY = "PagerDuty groups alerts until the incident is resolved; a rule groups for at most a day.";

type Result = { grouping: { groupBy: string[]; groupMinutes: number }; differences: string[] } | { why: string };

/** Returns a grouping of all events for `timeout` minutes, at most for GROUP_MINUTES_MAX; 0 means without end. */
const groupByTime = (timeout: number): Result => {
  const isLonger = timeout === 0 || timeout > GROUP_MINUTES_MAX;
  const groupMinutes = isLonger ? GROUP_MINUTES_MAX : timeout;
  return { grouping: { groupBy: [], groupMinutes }, differences: [...(isLonger ? [A_DAY] : []), RINGS] };
};

type Config = NonNullable<NonNullable<Service["alert_grouping_parameters"]>["config"]>;

/** Returns a grouping by the fields of a configuration, or `why` no rule can group in that way. */
const groupByContent = ({ aggregate, fields, time_window: given, recommended_time_window: other }: Config): Result => {
  if (aggregate === "any" && fields.length > 1)
    return {
      why: "The service groups alerts that have any of several fields in common; a rule groups by all of its fields.",
    };
  const unknown = fields.filter((field) => findEventField(field) === undefined);
  if (unknown.length > 0)
    return { why: `This service does not keep ${unknown.join(", ")} of events from PagerDuty's clients.` };
  const groupBy = [...new Set(fields.flatMap((field) => findEventField(field) ?? []))];
  if (groupBy.length === 0) return { why: "The grouping names no field to group by." };
  if (groupBy.length > GROUP_FIELDS_MAX) return { why: `A rule groups by at most ${GROUP_FIELDS_MAX} fields.` };
  const seconds = given === undefined || given === null || given === 0 ? other : given;
  if (seconds === undefined || seconds === null || seconds === 0) return { why: "The grouping has no time window." };
  const groupMinutes = Math.min(Math.ceil(seconds / 60), GROUP_MINUTES_MAX);
  return { grouping: { groupBy, groupMinutes }, differences: [ROLLING, RINGS] };
};

/** Returns the grouping for a service's rule, or `why` no rule can express it; undefined if the service does not group. */
const toRuleGrouping = ({ alert_grouping_parameters: parameters }: Service): Result | undefined => {
  const { type, config } = parameters ?? {};
  if (type === undefined || type === null) return undefined;
  if (type === "time") return groupByTime(config?.timeout ?? 0);
  if (type === "content_based") return groupByContent(config ?? { fields: [] });
  return { why: `The grouping of the type ${type} is unknown: a rule groups by fields of the event.` };
};

/** Converts a service's grouping of alerts; returns undefined if the service's rules do not group events. */
export const convertGrouping = (draft: Draft, service: Service): Grouping | undefined => {
  const said = toRuleGrouping(service);
  if (said === undefined) return undefined;
  const what = `Service ${service.name}: its alert grouping`;
  if ("why" in said) {
    draft.left(what, `${said.why} Each alert pages.`);
    return undefined;
  }
  const { groupBy, groupMinutes } = said.grouping;
  const by = groupBy.length === 0 ? "groupBy: []" : `groupBy ${groupBy.join(", ")}`;
  draft.taken(what, `${by} and groupMinutes ${groupMinutes} on its rules`);
  for (const difference of said.differences) draft.different(what, difference);
  return said.grouping;
};
