import * as v from "valibot";
import { adapter, fields, first, maybe, priorityOf, timeOf, type Draft } from "./draft.ts";

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
  valueString: maybe,
  values: fields,
});
type Alert = v.InferOutput<typeof Alert>;

const Payload = v.object({
  status: maybe,
  receiver: maybe,
  externalURL: maybe,
  groupLabels: fields,
  commonLabels: fields,
  alerts: v.array(Alert, "alerts must be a list of alerts, as the webhook of Alertmanager and Grafana sends it."),
});
type Group = Omit<v.InferOutput<typeof Payload>, "alerts">;

/** The alert's fingerprint or, where a sender left it out, the labels from which Alertmanager makes it. */
const nameOf = ({ fingerprint, labels }: Alert): string =>
  fingerprint ??
  Object.entries(labels)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(",");

const linesOf = (labels: Alert["labels"]): string =>
  Object.entries(labels)
    .filter(([, value]) => typeof value === "string")
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join("\n");

/** An end that is not after the beginning says nothing: senders leave it out, or write one of another time. */
const changedAtOf = ({ startsAt, endsAt }: Alert, isResolved: boolean): number | undefined => {
  const [start, end] = [timeOf(startsAt), timeOf(endsAt)];
  if (!isResolved) return start;
  return end === undefined || end < (start ?? 0) ? undefined : end;
};

/** Alerts keep their `startsAt` until they are resolved, and get a new one when they fire again. */
const toDraft = (alert: Alert, { status, receiver, externalURL, groupLabels, commonLabels }: Group): Draft => {
  const { labels, annotations, startsAt, endsAt, values } = alert;
  const isResolved = (alert.status ?? status) === "resolved";
  const name = first(labels["alertname"]) ?? "Alert";
  const key = `${nameOf(alert)}:${startsAt ?? ""}`;
  return {
    action: isResolved ? "resolved" : "firing",
    title: `${isResolved ? "Resolved: " : ""}${first(annotations["summary"], annotations["title"]) ?? name}`,
    body: first(annotations["description"], annotations["message"], alert.valueString, linesOf(labels)) ?? name,
    priority: priorityOf(labels["severity"] ?? labels["priority"]),
    url: first(alert.panelURL, alert.dashboardURL, alert.generatorURL, annotations["runbook_url"], externalURL),
    // What the group has in common stands last, and is cut first: most of it repeats the labels.
    data: {
      labels,
      annotations,
      receiver,
      startsAt,
      ...(isResolved ? { endsAt } : {}),
      values,
      groupLabels,
      commonLabels,
    },
    changedAt: changedAtOf(alert, isResolved),
    key,
    once: `${key}:${isResolved ? "resolved" : "firing"}`,
  };
};

/** Alertmanager's webhook (version 4), which Grafana's alerting sends as well. Each alert makes one event. */
export const alertmanager = adapter(Payload, ({ alerts, ...rest }) => alerts.map((alert) => toDraft(alert, rest)));
