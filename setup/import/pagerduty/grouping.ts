import { GROUP_FIELDS_MAX, GROUP_MINUTES_MAX } from "../../../core/domain/rules/grouping.ts";
import type { Draft } from "../draft.ts";
import type { Grouping } from "../rules.ts";
import { fieldOf } from "./expression.ts";
import type { AlertGrouping } from "./shape.ts";

const MINUTE_SECONDS = 60;

/** A number of minutes that a group may last. */
const within = (minutes: number): number => Math.min(GROUP_MINUTES_MAX, Math.max(1, Math.round(minutes)));

/**
 * How a service groups its alerts, as the fields of a rule; undefined where it does not, or where a rule cannot say so, which is
 * reported. `timeoutSeconds`: what one of its timeout's units is; 60 in a service, 1 in a setting of its own.
 */
export const groupingOf = (
  draft: Draft,
  service: string,
  { type, config }: AlertGrouping,
  timeoutSeconds: number,
): Grouping | undefined => {
  const what = `${service}: its alert grouping`;
  if (type === null || type === undefined || type === "") return undefined;
  const { timeout, aggregate, fields, time_window: window } = config ?? {};
  if (type === "time") {
    const minutes = ((timeout ?? 0) * timeoutSeconds) / MINUTE_SECONDS;
    const groupMinutes = minutes === 0 ? GROUP_MINUTES_MAX : within(minutes);
    draft.taken(what, `one group for all of its alerts, for ${groupMinutes} minutes from the first`);
    if (minutes === 0)
      draft.different(what, "It groups until the incident is resolved; here a group lasts for 24 hours at most.");
    else if (minutes !== groupMinutes) draft.different(what, `A group lasts ${groupMinutes} minutes, not ${minutes}.`);
    return { groupBy: [], groupMinutes };
  }
  if (type !== "content_based") {
    draft.left(what, `Its type is ${type}: a rule groups by equal fields, and learns nothing.`);
    return undefined;
  }
  const groupBy = [...new Set(fields ?? [])].map((field) => fieldOf(`event.${field}`));
  const unread = (fields ?? []).filter((field) => fieldOf(`event.${field}`) === undefined);
  if (groupBy.length === 0 || groupBy.length > GROUP_FIELDS_MAX || unread.length > 0) {
    const why =
      unread.length > 0 ? `events here do not keep ${unread.join(", ")}` : `it names ${groupBy.length} fields`;
    draft.left(what, `A rule groups by one to ${GROUP_FIELDS_MAX} fields of its events, and ${why}.`);
    return undefined;
  }
  if (aggregate === "any" && groupBy.length > 1) {
    draft.left(what, "It groups alerts of which any field is equal; in a rule's group all of them are.");
    return undefined;
  }
  if (window === null || window === undefined || window === 0) {
    draft.left(what, "Its time window is the one that PagerDuty recommends, which the export does not say.");
    return undefined;
  }
  const groupMinutes = within(window / MINUTE_SECONDS);
  const named = groupBy.flatMap((field) => field ?? []);
  draft.taken(what, `groups by ${named.join(", ")}, for ${groupMinutes} minutes from the first`);
  draft.different(
    what,
    "PagerDuty counts its time window from the latest alert of a group; here the time counts from the first, and then the next one rings.",
  );
  return { groupBy: named, groupMinutes };
};
