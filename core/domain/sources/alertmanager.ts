import * as v from "valibot";
import { adapter, fields, first, maybe, priorityOf, type Draft } from "./draft.ts";

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
});
type Alert = v.InferOutput<typeof Alert>;

const Payload = v.object({
  status: maybe,
  receiver: maybe,
  externalURL: maybe,
  alerts: v.array(Alert, "alerts must be a list of alerts, as the webhook of Alertmanager and Grafana sends it."),
});

/** The alert's fingerprint or, where a sender left it out, the labels from which Alertmanager makes it. */
const nameOf = ({ fingerprint, labels }: Alert): string =>
  fingerprint ??
  Object.entries(labels)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(",");

const listed = (labels: Alert["labels"]): string =>
  Object.entries(labels)
    .filter(([, value]) => typeof value === "string")
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join("\n");

/** Alerts keep their `startsAt` until they are resolved, and get a new one when they fire again. */
const toDraft = (
  alert: Alert,
  {
    status,
    receiver,
    externalURL,
  }: { status?: string | undefined; receiver?: string | undefined; externalURL?: string | undefined },
): Draft => {
  const { labels, annotations, startsAt, endsAt } = alert;
  const isResolved = (alert.status ?? status) === "resolved";
  const name = first(labels["alertname"]) ?? "Alert";
  const key = `${nameOf(alert)}:${startsAt ?? ""}`;
  return {
    action: isResolved ? "resolved" : "firing",
    title: `${isResolved ? "Resolved: " : ""}${first(annotations["summary"], annotations["title"]) ?? name}`,
    body: first(annotations["description"], annotations["message"], alert.valueString, listed(labels)) ?? name,
    priority: priorityOf(labels["severity"] ?? labels["priority"]),
    url: first(alert.panelURL, alert.dashboardURL, alert.generatorURL, annotations["runbook_url"], externalURL),
    data: { labels, annotations, receiver, startsAt, ...(isResolved ? { endsAt } : {}) },
    key,
    once: `${key}:${isResolved ? "resolved" : "firing"}`,
  };
};

/** Alertmanager's webhook (version 4), which Grafana's alerting sends as well. Each alert makes one event. */
export const alertmanager = adapter(Payload, ({ alerts, ...rest }) => alerts.map((alert) => toDraft(alert, rest)));
