import * as v from "valibot";
import type { EventWarning } from "../basics/refusal.ts";
import { toResolvedTitle } from "../event/event.ts";
import { createAdapter, fields, findText, toNamedLines, maybe, parseTime, mapStates, type Draft } from "./draft.ts";

const Alert = v.object({
  status: maybe,
  labels: fields,
  annotations: fields,
  startsAt: maybe,
  endsAt: maybe,
  generatorURL: maybe,
  fingerprint: maybe,
  dashboardURL: maybe,
  panelURL: maybe,
  silenceURL: maybe,
  valueString: maybe,
  values: fields,
});
type Alert = v.InferOutput<typeof Alert>;

const Group = v.object({
  status: maybe,
  receiver: maybe,
  externalURL: maybe,
  groupLabels: fields,
  commonLabels: fields,
  truncatedAlerts: maybe,
  alerts: v.array(Alert, "alerts must be the list that Alertmanager's or Grafana's webhook sends."),
});
type Group = v.InferOutput<typeof Group>;

/** Returns the fingerprint, or else the labels from which Alertmanager computes the fingerprint. */
const identifyAlert = ({ fingerprint, labels }: Alert): string =>
  findText(fingerprint) ??
  Object.entries(labels)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(",");

/** Returns when the alert started or ended. Ignores an end before the start: some senders write an unrelated time. */
const chooseChangeTime = ({ startsAt, endsAt }: Alert, isResolved: boolean): number | undefined => {
  const [start, end] = [parseTime(startsAt), parseTime(endsAt)];
  if (!isResolved) return start;
  return (end ?? 0) < (start ?? 0) ? undefined : end;
};

/** Alerts that Grafana sends if a rule cannot be evaluated. */
const brokenRules: readonly [RegExp, string][] = [
  [/^(?:Datasource)?NoData$|^MissingSeries$/, "No data"],
  [/^(?:Datasource)?Error$/, "Query failed"],
];

/** Returns a title for a rule that cannot be evaluated, whose summary would mislead; undefined for other alerts. */
const readBrokenRuleTitle = ({ labels, annotations }: Alert, name: string): string | undefined => {
  const about = findText(annotations["grafana_state_reason"]) ?? (/^(?:Datasource|NoData$)/.test(name) ? name : "");
  const what = brokenRules.find(([reason]) => reason.test(about))?.[1];
  return what === undefined ? undefined : `${what}: ${findText(labels["rulename"]) ?? name}`;
};

const states = mapStates({ firing: "firing", resolved: "resolved" });

/** Converts an alert. The draft's key has no `startsAt`, because Grafana 12 writes the time of the end into this field. */
const toDraft = (alert: Alert, group: Group): Draft => {
  const { labels, annotations, startsAt, endsAt, values } = alert;
  const { receiver, groupLabels, commonLabels, truncatedAlerts = "0" } = group;
  const action = states.get(findText(alert.status, group.status) ?? "firing") ?? "info";
  const isResolved = action === "resolved";
  const name = findText(labels["alertname"]) ?? "Alert";
  const broken = isResolved ? undefined : readBrokenRuleTitle(alert, name);
  const title = broken ?? findText(annotations["summary"], annotations["title"]) ?? name;
  const failure = findText(annotations["Error"], annotations["error"]);
  const said = [annotations["description"], annotations["message"], alert.valueString, toNamedLines(labels)];
  const body = findText(...(broken === undefined ? [] : [failure]), ...said) ?? name;
  const isCut = Number(truncatedAlerts) > 0;
  const more = `${truncatedAlerts} more alerts of this group were left out of the message.`;
  const cut: EventWarning = { field: "truncatedAlerts", code: "cut", message: more };
  const key = identifyAlert(alert);
  return {
    action,
    title: isResolved ? toResolvedTitle(title) : title,
    body: isCut && !isResolved ? `${body}\n${more}` : body,
    severity: [labels["severity"], labels["priority"]],
    links: {
      Runbook: findText(annotations["runbook_url"], annotations["runbook"]),
      Panel: alert.panelURL,
      Dashboard: findText(alert.dashboardURL, annotations["dashboard_url"], annotations["dashboard"]),
      Graph: alert.generatorURL,
      Alerts: group.externalURL,
      Silence: alert.silenceURL,
    },
    // The group's common values come last: most of them repeat the labels, and if the data is too large, the last values are cut.
    data: {
      labels,
      annotations,
      receiver,
      startsAt,
      ...(isResolved ? { endsAt } : {}),
      ...(isCut ? { truncatedAlerts: Number(truncatedAlerts) } : {}),
      values,
      groupLabels,
      commonLabels,
    },
    changedAt: chooseChangeTime(alert, isResolved),
    key,
    formerKey: isResolved ? `${key}:${startsAt ?? ""}` : undefined,
    // A firing alert has no idempotency key, because a reminder of the alert looks the same as the first message.
    once: isResolved && startsAt !== undefined ? `${key}:${startsAt}:resolved` : undefined,
    ...(isCut ? { warnings: [cut] } : {}),
  };
};

/** Alertmanager's webhook (version 4), which Grafana's alerting also sends. Each alert becomes one event. */
export const alertmanager = createAdapter(Group, (group) => group.alerts.map((alert) => toDraft(alert, group)));
