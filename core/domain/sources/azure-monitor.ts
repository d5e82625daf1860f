import * as v from "valibot";
import type { Priority } from "../basics/priority.ts";
import { toResolvedTitle } from "../event/event.ts";
import { createAdapter, parseTime, mapStates, type Draft } from "./draft.ts";
import { GridEvents, toGridEventDrafts } from "./event-grid.ts";
import { findValueAt, findListAt, createTextReader } from "./paths.ts";

/** Lists each name after each prefix, such as `context.id`: all prefixes of the first name come first. */
const combinePaths = (prefixes: readonly string[], ...names: string[]): string[] =>
  names.flatMap((name) => prefixes.map((place) => `${place}.${name}`));
/** The paths of objects with an alert's values, if the alert does not use the common schema. */
const OLDER = ["data.context", "context"];
/** The paths of objects with an activity log's values. */
const LOG = ["data.alertContext", "data.context.activityLog"];
const CONDITION = combinePaths(["data.alertContext", ...OLDER], "condition.allOf.0", "condition");
/** The paths of each value: first in the common schema, then in older schemas. */
const paths = {
  rule: ["data.essentials.alertRule", ...combinePaths(OLDER, "name"), "data.AlertRuleName", "AlertRuleName"],
  ruleId: [...combinePaths(OLDER, "id"), "data.SubscriptionId", "SubscriptionId"],
  state: ["data.essentials.monitorCondition", "data.status", "status"],
  severity: ["data.essentials.severity", ...combinePaths(OLDER, "severity"), "data.Severity", "Severity"],
  text: [
    "data.essentials.description",
    ...combinePaths(OLDER, "description", "details"),
    "data.Description",
    "Description",
  ],
  target: ["data.essentials.alertTargetIDs.0", ...combinePaths([...OLDER, ...LOG], "resourceId")],
  time: [...combinePaths(LOG, "eventTimestamp"), "data.essentials.firedDateTime", ...combinePaths(OLDER, "timestamp")],
  portal: ["data.essentials.investigationLink", ...combinePaths(OLDER, "portalLink")],
  search: [
    ...combinePaths(LOG, "condition.allOf.0.linkToSearchResultsUI", "LinkToSearchResults"),
    "data.LinkToSearchResults",
  ],
  metric: combinePaths(CONDITION, "metricName"),
  value: combinePaths(CONDITION, "metricValue"),
  operator: combinePaths(CONDITION, "operator"),
  threshold: combinePaths(CONDITION, "threshold"),
  correlation: combinePaths(LOG, "correlationId"),
  operation: combinePaths(LOG, "operationName"),
  level: combinePaths(LOG, "level"),
  incident: combinePaths(LOG, "properties.trackingId"),
  title: combinePaths(LOG, "properties.defaultLanguageTitle", "properties.title"),
  stage: combinePaths(LOG, "properties.stage", "status"),
  health: combinePaths(LOG, "properties.currentHealthStatus"),
} as const;

const states = mapStates({ Fired: "firing", Activated: "firing", Resolved: "resolved", Deactivated: "resolved" });
/** Health states of a resource, and stages of an incident of Azure. */
const stages = mapStates({
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
/** The priorities of Azure's severity levels, which begin with 0, the highest. The oldest alerts have words instead of levels. */
const levels: readonly Priority[] = ["URGENT", "HIGH", "NORMAL", "LOW", "LOW"];

const getLastPathSegment = (id: string | undefined): string | undefined =>
  id?.split("/").findLast((part) => part !== "");

const readDimensions = (payload: unknown): Record<string, string> => {
  const lists = combinePaths(CONDITION, "dimensions").map((path) => findListAt(payload, path));
  const pairs = lists.flat().map((dimension) => createTextReader(dimension));
  return Object.fromEntries(pairs.map((read) => [read("name") ?? "", read("value") ?? ""]));
};

const SENT = "The body must be an alert of an action group of Azure Monitor, or a list of events of Event Grid.";
const Alert = v.pipe(
  v.looseObject({}, SENT),
  v.check((payload) => createTextReader(payload)("schemaId", ...paths.rule, ...paths.state) !== undefined, SENT),
);

const toAlertDrafts = (payload: object): Draft[] => {
  const find = createTextReader(payload);
  const readText = (name: keyof typeof paths) => find(...paths[name]);
  const [incident, health] = [readText("incident"), readText("health")];
  const [operation, target] = [readText("correlation"), readText("target")];
  const [rule, severity, time] = [readText("rule"), readText("severity"), readText("time")];
  const dimensions = readDimensions(payload);
  const compared = [readText("metric"), readText("value"), readText("operator"), readText("threshold")]
    .filter(Boolean)
    .join(" ");
  const about = readText("title") ?? rule ?? readText("operation") ?? find("schemaId") ?? "Azure Monitor";
  const on = find("data.essentials.configurationItems.0") ?? getLastPathSegment(target);
  const title = on === undefined || about.includes(on) ? about : `${about} on ${on}`;
  const stage = health ?? (incident === undefined ? undefined : (readText("stage") ?? ""));
  // A log alert of the oldest schema has no state, and is always firing. A notice about scaling is not an alert.
  const state = find("operation") === undefined ? (readText("state") ?? (severity && "Fired")) : undefined;
  const action = (stage === undefined ? states.get(state) : stages.get(stage)) ?? "info";
  const level = operation === undefined ? levels[Number(/^(?:Sev)?(\d)$/.exec(severity ?? "")?.[1])] : undefined;
  const keys = [
    health === undefined ? undefined : `health:${target ?? ""}`,
    incident === undefined ? undefined : `incident:${incident}`,
    operation === undefined ? undefined : `operation:${operation}:${readText("operation") ?? ""}`,
    find("data.essentials.alertId"),
  ];
  const ids = [readText("ruleId") ?? "", rule ?? "", target ?? "", ...Object.entries(dimensions).flat()];
  // The key is in lower case, because Azure's identifiers ignore case.
  const key = (keys.find((one) => one !== undefined) ?? `rule:${ids.join(":")}`).toLowerCase();
  const ended = find("data.essentials.resolvedDateTime") ?? time;
  return [
    {
      action,
      title: action === "resolved" ? toResolvedTitle(title) : title,
      body: readText("text") ?? (compared || title),
      priority: level,
      severity: level === undefined ? [operation === undefined ? severity : readText("level")] : [],
      links: { Alert: readText("portal"), Search: readText("search") },
      data: { rule, target, severity, dimensions, ...Object(findValueAt(payload, "data") ?? payload) },
      changedAt: parseTime(action === "resolved" ? ended : time),
      key,
      once: action === "resolved" && ended !== undefined ? `${key}:${ended}` : undefined,
    },
  ];
};
const Events = v.pipe(
  GridEvents,
  v.transform((events) => events.flatMap(toGridEventDrafts)),
);

/** Reads what action groups send: alerts in the common or an older schema, or Event Grid events. */
export const azureMonitor = v.union([Events, createAdapter(Alert, toAlertDrafts)], SENT);
