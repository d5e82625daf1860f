import * as v from "valibot";
import { fromIso } from "../basics/time.ts";
import { toResolvedTitle } from "../event/event.ts";
import { createAdapter, mapStates, type Draft } from "./draft.ts";
import { findValueAt, findListAt, parseNestedJson, createTextReader, readTextsAt } from "./paths.ts";

const kept = {
  policy: "policy_name",
  condition: "condition_name",
  state: "state",
  severity: "severity",
  project: "scoping_project_id",
  resource: "resource_display_name",
  resourceName: "resource_name",
  resourceType: "resource.type",
  metric: "metric.type",
  value: "observed_value",
  threshold: "threshold_value",
};

/** The states that create an event. An acknowledged incident is still open, and its message creates no event. */
const states = mapStates({ open: "firing", closed: "resolved" });
const NO_SEVERITY = "no severity";

/** Parses seconds since 1970 or ISO 8601; undefined for 0 and null. */
const parseMoment = (text = ""): number | undefined => {
  const ms = /^\d+(?:\.\d+)?$/.test(text) ? Math.round(Number(text) * 1000) : fromIso(text);
  return ms === 0 ? undefined : ms;
};

const readLinks = (incident: unknown): Record<string, unknown> => {
  const links = findListAt(incident, "documentation.links").map((link) => createTextReader(link));
  return Object.fromEntries(links.map((read) => [read("displayName", "display_name") ?? "Link", read("url")]));
};

const toIncidentDrafts = (incident: unknown, version: string | undefined, messageId: string | undefined): Draft[] => {
  const read = createTextReader(incident);
  const state = states.get(read("state")?.toLowerCase());
  const action = version === "test" ? "test" : state;
  if (action === undefined) return [];
  const name = read("documentation.subject", "policy_name", "condition_name") ?? "Google Cloud Monitoring";
  const on = read("resource_display_name", "resource.labels.host");
  const title = on === undefined || name.includes(on) ? name : `${name} on ${on}`;
  const [id, severity] = [read("incident_id"), read("severity")];
  return [
    {
      action,
      title: action === "resolved" ? toResolvedTitle(title) : title,
      body: read("summary") ?? title,
      detail: read("documentation.content"),
      severity: [severity?.toLowerCase() === NO_SEVERITY ? undefined : severity, read("policy_user_labels.severity")],
      links: { ...readLinks(incident), Incident: read("url") },
      data: {
        ...readTextsAt(read, kept),
        labels: findValueAt(incident, "resource.labels"),
        metricLabels: findValueAt(incident, "metric.labels"),
        policyLabels: findValueAt(incident, "policy_user_labels"),
      },
      changedAt: parseMoment(action === "resolved" ? read("ended_at") : read("started_at")),
      key: id === undefined ? undefined : `incident:${id}`,
      once: messageId ?? (action === "resolved" && id !== undefined ? `incident:${id}:closed` : undefined),
    },
  ];
};

/** Converts a message of a Pub/Sub topic that is not about an incident, such as a budget's. `id`: the id of the message. */
const toMessageDraft = (text: string, read: ReturnType<typeof createTextReader>, id: string | undefined): Draft => {
  const topic = read("subscription")?.split("/").at(-1) ?? "a subscription";
  const content = parseNestedJson(text);
  const budget = createTextReader(content)("budgetDisplayName");
  return {
    action: "info",
    title: budget === undefined ? `Message of ${topic}` : `Budget ${budget}`,
    body: text,
    data: { subscription: read("subscription"), ...(typeof content === "object" ? content : {}) },
    once: id,
  };
};

const SENT = "incident must be the object that Google Cloud Monitoring sends.";
const Incident = v.looseObject({ incident: v.looseObject({}, SENT), version: v.optional(v.unknown()) }, SENT);
const Push = v.looseObject({ message: v.looseObject({ data: v.string() }) });

/** Reads incidents from a webhook or from a Pub/Sub push subscription. Test messages are recognized by their version. */
export const googleCloudMonitoring = v.union(
  [
    createAdapter(Push, (push): Draft[] => {
      const read = createTextReader(push);
      const text = Buffer.from(push.message.data, "base64").toString("utf8");
      const sent = v.safeParse(Incident, parseNestedJson(text));
      const once = read("message.messageId", "message.message_id");
      return sent.success
        ? toIncidentDrafts(sent.output.incident, createTextReader(sent.output)("version"), once)
        : [toMessageDraft(text, read, once)];
    }),
    createAdapter(Incident, (sent) => toIncidentDrafts(sent.incident, createTextReader(sent)("version"), undefined)),
  ],
  SENT,
);
