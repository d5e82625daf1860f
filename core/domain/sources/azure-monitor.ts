import * as v from "valibot";
import type { Priority } from "../basics/priority.ts";
import { endedTitle } from "../event/event.ts";
import { adapter, timeOf, words, type Draft } from "./draft.ts";
import { GridEvents, ofGridEvent } from "./event-grid.ts";
import { at, listAt, reader } from "./paths.ts";

const below = (places: readonly string[], ...names: string[]): string[] =>
  names.flatMap((name) => places.map((place) => `${place}.${name}`));
/** The paths in alerts from before the common schema, and in entries of the activity log. */
const OLDER = ["data.context", "context"];
const LOG = ["data.alertContext", "data.context.activityLog"];
const CONDITION = below(["data.alertContext", ...OLDER], "condition.allOf.0", "condition");
/** The paths in the common schema and in earlier schemas. */
const paths = {
  rule: ["data.essentials.alertRule", ...below(OLDER, "name"), "data.AlertRuleName", "AlertRuleName"],
  ruleId: [...below(OLDER, "id"), "data.SubscriptionId", "SubscriptionId"],
  state: ["data.essentials.monitorCondition", "data.status", "status"],
  severity: ["data.essentials.severity", ...below(OLDER, "severity"), "data.Severity", "Severity"],
  text: ["data.essentials.description", ...below(OLDER, "description", "details"), "data.Description", "Description"],
  target: ["data.essentials.alertTargetIDs.0", ...below([...OLDER, ...LOG], "resourceId")],
  time: [...below(LOG, "eventTimestamp"), "data.essentials.firedDateTime", ...below(OLDER, "timestamp")],
  portal: ["data.essentials.investigationLink", ...below(OLDER, "portalLink")],
  search: [...below(LOG, "condition.allOf.0.linkToSearchResultsUI", "LinkToSearchResults"), "data.LinkToSearchResults"],
  metric: below(CONDITION, "metricName"),
  value: below(CONDITION, "metricValue"),
  operator: below(CONDITION, "operator"),
  threshold: below(CONDITION, "threshold"),
  correlation: below(LOG, "correlationId"),
  operation: below(LOG, "operationName"),
  level: below(LOG, "level"),
  incident: below(LOG, "properties.trackingId"),
  title: below(LOG, "properties.defaultLanguageTitle", "properties.title"),
  stage: below(LOG, "properties.stage", "status"),
  health: below(LOG, "properties.currentHealthStatus"),
} as const;

const states = words({ Fired: "firing", Activated: "firing", Resolved: "resolved", Deactivated: "resolved" });
/** The health states of a resource, and the stages of an incident of Azure itself. */
const stages = words({
  Unavailable: "firing",
  Degraded: "firing",
  Active: "firing",
  InProgress: "firing",
  Available: "resolved",
  Resolved: "resolved",
  Complete: "resolved",
  Canceled: "resolved",
  RCA: "resolved",
});
/** Azure's levels count from 0, the highest; the oldest alerts use words. */
const levels: readonly Priority[] = ["URGENT", "HIGH", "NORMAL", "LOW", "LOW"];

const lastOf = (id: string | undefined): string | undefined => id?.split("/").findLast((part) => part !== "");

/** Returns the dimensions of a metric alert by their names. */
const dimensionsOf = (payload: unknown): Record<string, string> => {
  const lists = below(CONDITION, "dimensions").map((path) => listAt(payload, path));
  const pairs = lists.flat().map((dimension) => reader(dimension));
  return Object.fromEntries(pairs.map((say) => [say("name") ?? "", say("value") ?? ""]));
};

const SENT = "The body must be an alert of an action group of Azure Monitor, or a list of events of Event Grid.";
const Alert = v.pipe(
  v.looseObject({}, SENT),
  v.check((payload) => reader(payload)("schemaId", "status", ...paths.rule, ...paths.state) !== undefined, SENT),
);

const ofAlert = (payload: object): Draft[] => {
  const find = reader(payload);
  const say = (name: keyof typeof paths) => find(...paths[name]);
  const [incident, health] = [say("incident"), say("health")];
  const [operation, target] = [say("correlation"), say("target")];
  const [rule, severity, time] = [say("rule"), say("severity"), say("time")];
  const dimensions = dimensionsOf(payload);
  const compared = [say("metric"), say("value"), say("operator"), say("threshold")].filter(Boolean).join(" ");
  const about = say("title") ?? rule ?? say("operation") ?? find("schemaId") ?? "Azure Monitor";
  const on = find("data.essentials.configurationItems.0") ?? lastOf(target);
  const title = on === undefined || about.includes(on) ? about : `${about} on ${on}`;
  const stage = health ?? (incident === undefined ? undefined : (say("stage") ?? ""));
  // The oldest log alerts have no state: they always fire. A scaling notice is not an alert.
  const state = find("operation") === undefined ? (say("state") ?? (severity === undefined ? "" : "Fired")) : "";
  const action = (stage === undefined ? states.get(state) : stages.get(stage)) ?? "info";
  const level = operation === undefined ? levels[Number(/^(?:Sev)?(\d)$/.exec(severity ?? "")?.[1] ?? NaN)] : undefined;
  const keys = [
    health === undefined ? undefined : `health:${target ?? ""}`,
    incident === undefined ? undefined : `incident:${incident}`,
    operation === undefined ? undefined : `operation:${operation}:${say("operation") ?? ""}`,
    find("data.essentials.alertId"),
  ];
  const ids = [say("ruleId") ?? "", rule ?? "", target ?? "", ...Object.entries(dimensions).flat()];
  // Azure's identifiers are case-insensitive.
  const key = (keys.find((one) => one !== undefined) ?? `rule:${ids.join(":")}`).toLowerCase();
  const ended = find("data.essentials.resolvedDateTime") ?? time;
  return [
    {
      action,
      title: action === "resolved" ? endedTitle(title) : title,
      body: say("text") ?? (compared || title),
      priority: level,
      severity: level === undefined ? [operation === undefined ? severity : say("level")] : [],
      links: { Alert: say("portal"), Search: say("search") },
      data: { rule, target, severity, dimensions, ...Object(at(payload, "data") ?? payload) },
      changedAt: timeOf(action === "resolved" ? ended : time),
      key,
      once: action === "resolved" && ended !== undefined ? `${key}:${ended}` : undefined,
    },
  ];
};
const Events = v.pipe(
  GridEvents,
  v.transform((events) => events.flatMap(ofGridEvent)),
);

/** Azure Monitor's webhooks: alerts of action groups in the common schema or an older one, and Event Grid events. */
export const azureMonitor = v.union([Events, adapter(Alert, ofAlert)], SENT);
