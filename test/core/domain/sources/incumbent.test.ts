import * as v from "valibot";
import { expect, it } from "vitest";
import { incumbents } from "../../../../core/domain/sources/incumbent.ts";

type Row = readonly [message: object, read: object | undefined];

const AT = "2026-11-23T12:00:00Z";
const AT_MS = Date.UTC(2026, 10, 23, 12);
const alert = { alertId: "a-1", alias: "disk", message: "Disk full", username: "Ann" };
const opsgenieKeys = ["disk", "opsgenie:disk", "a-1", "opsgenie:a-1"];
const opsgenie = { at: undefined, notified: [], keys: opsgenieKeys, title: "Disk full" };
const opsgenieByAnn = { ...opsgenie, by: "Ann" };
const data = { incident_key: "disk", title: "Disk full", assignees: [{ summary: "Bob" }, {}] };
const agent = { summary: "Ann", type: "user_reference" };
const pagerduty = { at: AT_MS, notified: ["Bob"], keys: ["disk", "pagerduty:disk"], title: "Disk full" };
const pagerdutyMessage = (type: string, fields: object = {}) => ({
  event: { event_type: `incident.${type}`, occurred_at: AT, agent, data, ...fields },
});
const onCallMessage = (type: string, more: object = {}) => ({ event: { type, time: AT }, ...more });
const onCall = { at: AT_MS, notified: [], keys: [], title: undefined };

const testReports = (source: string, rows: Readonly<Record<string, Row>>) => {
  it.each(Object.entries(rows))(`the ${source} message %s`, (_, [message, read]) => {
    expect(v.parse(incumbents[source]!, message)).toStrictEqual(read);
  });
};

testReports("opsgenie", {
  '"Create" reports a new alert': [
    { action: "Create", alert },
    { ...opsgenie, action: "triggered" },
  ],
  '"Acknowledge" reports that Ann acknowledged the alert': [
    { action: "Acknowledge", alert },
    { ...opsgenieByAnn, action: "acknowledged" },
  ],
  '"Close" reports that Ann closed the alert': [
    { action: "Close", alert },
    { ...opsgenieByAnn, action: "closed" },
  ],
  '"Delete" reports that Ann closed the alert': [
    { action: "Delete", alert },
    { ...opsgenieByAnn, action: "closed" },
  ],
  '"Acknowledge" with a recipient reports that Ann acknowledged the alert, and nobody is notified': [
    { action: "Acknowledge", alert: { ...alert, recipient: "Carol" } },
    { ...opsgenieByAnn, action: "acknowledged" },
  ],
  '"Escalate" without a user reports an escalation': [
    { action: "Escalate", alert: { ...alert, username: undefined } },
    { ...opsgenie, action: "escalated" },
  ],
  '"AddNote" is ignored': [{ action: "AddNote", alert }, undefined],
  '"Escalate" by System to a person reports an escalation, and the person is notified': [
    { action: "Escalate", alert: { ...alert, username: "System" }, escalationNotify: { name: "Bob", type: "User" } },
    { ...opsgenie, action: "escalated", notified: ["Bob"] },
  ],
  '"EscalateNext" by Opsgenie reports an escalation, and the named person is notified': [
    { action: "EscalateNext", alert: { ...alert, username: "Opsgenie" }, escalationNotify: { name: "Bob" } },
    { ...opsgenie, action: "escalated", notified: ["Bob"] },
  ],
  '"AddRecipient" with a group reports an escalation, and only the recipient is notified': [
    {
      action: "AddRecipient",
      alert: { username: "Opsgenie Admin", recipient: "Carol" },
      escalationNotify: { name: "Ops", type: "group" },
    },
    { at: undefined, action: "escalated", by: "Opsgenie Admin", notified: ["Carol"], keys: [], title: undefined },
  ],
  '"Close" by a user named My System reports that this user closed the alert': [
    { action: "Close", alert: { username: "My System" } },
    { at: undefined, action: "closed", by: "My System", notified: [], keys: [], title: undefined },
  ],
});

testReports("pagerduty", {
  '"triggered" reports a new alert': [pagerdutyMessage("triggered"), { ...pagerduty, action: "triggered" }],
  '"acknowledged" reports that Ann acknowledged the alert': [
    pagerdutyMessage("acknowledged"),
    { ...pagerduty, action: "acknowledged", by: "Ann" },
  ],
  '"escalated" reports that Ann escalated the alert': [
    pagerdutyMessage("escalated"),
    { ...pagerduty, action: "escalated", by: "Ann" },
  ],
  '"reassigned" reports that Ann escalated the alert': [
    pagerdutyMessage("reassigned"),
    { ...pagerduty, action: "escalated", by: "Ann" },
  ],
  '"resolved" by a service reports an end, and names no person': [
    pagerdutyMessage("resolved", { agent: { summary: "Web", type: "service_reference" }, data: {}, occurred_at: "x" }),
    { at: undefined, action: "closed", notified: [], keys: [], title: undefined },
  ],
  '"resolved" without an agent reports an end, and names no person': [
    pagerdutyMessage("resolved", { agent: undefined }),
    { ...pagerduty, action: "closed" },
  ],
  '"resolved" by an agent without a type reports an end, and names no person': [
    pagerdutyMessage("resolved", { agent: { summary: "Ann" } }),
    { ...pagerduty, action: "closed" },
  ],
  '"annotated" is ignored': [pagerdutyMessage("annotated"), undefined],
});

testReports("grafana", {
  '"alert group created" reports a new alert, with the title of the group': [
    onCallMessage("alert group created", { alert_group: { title: "Disk full" }, user: {} }),
    { ...onCall, action: "triggered", title: "Disk full" },
  ],
  '"firing" reports a new alert': [onCallMessage("firing"), { ...onCall, action: "triggered" }],
  '"trigger" reports a new alert': [onCallMessage("trigger"), { ...onCall, action: "triggered" }],
  '"acknowledge" reports that Ann acknowledged the alert': [
    onCallMessage("acknowledge", { user: { email: "ann@a.example", username: "ann" } }),
    { ...onCall, action: "acknowledged", by: "ann@a.example" },
  ],
  '"escalation" reports an escalation, and the named users are notified': [
    onCallMessage("escalation", { notified_users: [{ username: "bob" }, { email: "c@a.example", username: "c" }, {}] }),
    { ...onCall, action: "escalated", notified: ["bob", "c@a.example"] },
  ],
  '"resolve" reports an end, with the keys of the alert': [
    onCallMessage("resolve", {
      user: { username: "ann" },
      alert_payload: { dedupeKey: "d", alert_uid: "u", groupKey: "g" },
    }),
    { ...onCall, action: "closed", by: "ann", keys: ["d", "u", "g"] },
  ],
  '"resolve" reports an end, with the fingerprint of an alert from Alertmanager as a key': [
    onCallMessage("resolve", {
      alert_payload: { alerts: [{ status: "firing", labels: { alertname: "Disk" }, fingerprint: "f1" }] },
    }),
    { ...onCall, action: "closed", keys: ["f1", "alertmanager:f1", "f1", "grafana:f1"] },
  ],
  '"unacknowledge" is ignored': [onCallMessage("unacknowledge"), undefined],
  '"unresolve" is ignored': [onCallMessage("unresolve"), undefined],
  '"silence" is ignored': [onCallMessage("silence"), undefined],
});

it.each([
  ["opsgenie", "action and alert are numbers", { action: 1, alert: 1 }, ["action is required.", "alert is required."]],
  ["pagerduty", "the field event is a number", { event: 1 }, ["event is required."]],
  [
    "pagerduty",
    "the fields of event are numbers",
    { event: { event_type: 1, data: 1 } },
    ["event.event_type is required.", "event.data is required."],
  ],
  ["grafana", "the field event is a number", { event: 1 }, ["event is required."]],
  ["grafana", "the field event.type is a number", { event: { type: 1 } }, ["event.type is required."]],
])("a message of %s is refused if %s", (source, _fault, message, faults) => {
  expect(v.safeParse(incumbents[source]!, message).issues?.map((issue) => issue.message)).toEqual(faults);
});
