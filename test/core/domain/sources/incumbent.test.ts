import * as v from "valibot";
import { expect, it } from "vitest";
import { incumbents } from "../../../../core/domain/sources/incumbent.ts";

type Row = readonly [source: string, message: object, read: object | undefined];

const AT = "2026-11-23T12:00:00Z";
const AT_MS = Date.UTC(2026, 10, 23, 12);
const alert = { alertId: "a-1", alias: "disk", message: "Disk full", username: "Ann" };
const opsgenie = { at: undefined, keys: ["disk", "opsgenie:disk", "a-1", "opsgenie:a-1"], title: "Disk full" };
const data = { incident_key: "disk", title: "Disk full", assignees: [{ summary: "Bob" }, {}] };
const agent = { summary: "Ann", type: "user_reference" };
const pagerduty = { at: AT_MS, notified: ["Bob"], keys: ["disk", "pagerduty:disk"], title: "Disk full" };
const pagerdutyMessage = (type: string, fields: object = {}) => ({
  event: { event_type: `incident.${type}`, occurred_at: AT, agent, data, ...fields },
});
const onCallMessage = (type: string, more: object = {}) => ({ event: { type, time: AT }, ...more });
const onCall = { at: AT_MS, notified: [], keys: [], title: undefined };

it.each<Row>([
  ["opsgenie", { action: "Create", alert }, { ...opsgenie, action: "triggered", notified: [] }],
  ["opsgenie", { action: "Acknowledge", alert }, { ...opsgenie, action: "acknowledged", by: "Ann", notified: [] }],
  ["opsgenie", { action: "Close", alert }, { ...opsgenie, action: "closed", by: "Ann", notified: [] }],
  ["opsgenie", { action: "Delete", alert }, { ...opsgenie, action: "closed", by: "Ann", notified: [] }],
  [
    "opsgenie",
    { action: "Acknowledge", alert: { ...alert, recipient: "Carol" } },
    { ...opsgenie, action: "acknowledged", by: "Ann", notified: [] },
  ],
  [
    "opsgenie",
    { action: "Escalate", alert: { ...alert, username: undefined } },
    { ...opsgenie, action: "escalated", notified: [] },
  ],
  ["opsgenie", { action: "AddNote", alert }, undefined],
  [
    "opsgenie",
    { action: "Escalate", alert: { ...alert, username: "System" }, escalationNotify: { name: "Bob", type: "User" } },
    { ...opsgenie, action: "escalated", notified: ["Bob"] },
  ],
  [
    "opsgenie",
    { action: "EscalateNext", alert: { ...alert, username: "Opsgenie" }, escalationNotify: { name: "Bob" } },
    { ...opsgenie, action: "escalated", notified: ["Bob"] },
  ],
  [
    "opsgenie",
    {
      action: "AddRecipient",
      alert: { username: "Opsgenie Admin", recipient: "Carol" },
      escalationNotify: { name: "Ops", type: "group" },
    },
    { at: undefined, action: "escalated", by: "Opsgenie Admin", notified: ["Carol"], keys: [], title: undefined },
  ],
  [
    "opsgenie",
    { action: "Close", alert: { username: "My System" } },
    { at: undefined, action: "closed", by: "My System", notified: [], keys: [], title: undefined },
  ],
  ["pagerduty", pagerdutyMessage("triggered"), { ...pagerduty, action: "triggered" }],
  ["pagerduty", pagerdutyMessage("acknowledged"), { ...pagerduty, action: "acknowledged", by: "Ann" }],
  ["pagerduty", pagerdutyMessage("escalated"), { ...pagerduty, action: "escalated", by: "Ann" }],
  ["pagerduty", pagerdutyMessage("reassigned"), { ...pagerduty, action: "escalated", by: "Ann" }],
  [
    "pagerduty",
    pagerdutyMessage("resolved", { agent: { summary: "Web", type: "service_reference" }, data: {}, occurred_at: "x" }),
    { at: undefined, action: "closed", notified: [], keys: [], title: undefined },
  ],
  ["pagerduty", pagerdutyMessage("resolved", { agent: undefined }), { ...pagerduty, action: "closed" }],
  ["pagerduty", pagerdutyMessage("resolved", { agent: { summary: "Ann" } }), { ...pagerduty, action: "closed" }],
  ["pagerduty", pagerdutyMessage("annotated"), undefined],
  [
    "grafana",
    onCallMessage("alert group created", { alert_group: { title: "Disk full" }, user: {} }),
    { ...onCall, action: "triggered", title: "Disk full" },
  ],
  ["grafana", onCallMessage("firing"), { ...onCall, action: "triggered" }],
  ["grafana", onCallMessage("trigger"), { ...onCall, action: "triggered" }],
  [
    "grafana",
    onCallMessage("acknowledge", { user: { email: "ann@a.example", username: "ann" } }),
    { ...onCall, action: "acknowledged", by: "ann@a.example" },
  ],
  [
    "grafana",
    onCallMessage("escalation", { notified_users: [{ username: "bob" }, { email: "c@a.example", username: "c" }, {}] }),
    { ...onCall, action: "escalated", notified: ["bob", "c@a.example"] },
  ],
  [
    "grafana",
    onCallMessage("resolve", {
      user: { username: "ann" },
      alert_payload: { dedupeKey: "d", alert_uid: "u", groupKey: "g" },
    }),
    { ...onCall, action: "closed", by: "ann", keys: ["d", "u", "g"] },
  ],
  [
    "grafana",
    onCallMessage("resolve", {
      alert_payload: { alerts: [{ status: "firing", labels: { alertname: "Disk" }, fingerprint: "f1" }] },
    }),
    { ...onCall, action: "closed", keys: ["f1", "alertmanager:f1", "f1", "grafana:f1"] },
  ],
  ["grafana", onCallMessage("unacknowledge"), undefined],
  ["grafana", onCallMessage("unresolve"), undefined],
  ["grafana", onCallMessage("silence"), undefined],
])("the %s message %j is read as %j", (source, message, read) => {
  expect(v.parse(incumbents[source]!, message)).toStrictEqual(read);
});

it.each([
  ["opsgenie", { action: 1, alert: 1 }, ["action is required.", "alert is required."]],
  ["pagerduty", { event: 1 }, ["event is required."]],
  ["pagerduty", { event: { event_type: 1, data: 1 } }, ["event.event_type is required.", "event.data is required."]],
  ["grafana", { event: 1 }, ["event is required."]],
  ["grafana", { event: { type: 1 } }, ["event.type is required."]],
])("a message that %s never sends, %j, is refused with %j", (source, message, faults) => {
  expect(v.safeParse(incumbents[source]!, message).issues?.map((issue) => issue.message)).toEqual(faults);
});
