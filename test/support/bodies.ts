import type { FilledWorkspace } from "./people.ts";

/** Returns a valid body for every endpoint that has one. */
export const createBodies = ({
  groupId,
  userId,
  policyId,
  deviceId,
  eventId,
  slackToken,
}: FilledWorkspace): Readonly<Record<string, object>> => ({
  "events/post-event": { event: "order.failed", title: "Order failed", body: "No stock" },
  "events/acknowledge-events": { eventIds: [eventId] },
  "events/resolve-event": { note: "Over" },
  "events/snooze-event": { until: "2026-11-21T18:00:00Z" },
  "events/escalate-event": { note: "Now" },
  "events/tell-event": { userIds: [userId], note: "Look" },
  "events/note-event": { text: "Seen" },
  "api-keys/create-api-key": { name: "Another" },
  "routing-rules/create-routing-rule": {
    name: "Another",
    eventKey: "nothing.ever",
    targets: [{ type: "group", groupId }],
    escalationPolicyId: policyId,
  },
  "routing-rules/update-routing-rule": { targets: [{ type: "group", groupId }], escalationPolicyId: policyId },
  "routing-rules/test-routing-rules": {
    event: { event: "order.failed", title: "t", body: "b" },
    rule: { eventKey: "*", targets: [{ type: "group", groupId }], escalationPolicyId: policyId },
  },
  "simulate/simulate-event": {
    event: { event: "order.failed", title: "t", body: "b" },
    rules: [{ eventKey: "*", targets: [{ type: "group", groupId }], escalationPolicyId: policyId }],
    policies: [{ id: "pol_draft", name: "Draft", steps: [{ delayMinutes: 1, targets: [{ type: "user", userId }] }] }],
  },
  "simulate/simulate-history": {
    rules: [{ eventKey: "*", targets: [{ type: "group", groupId }], escalationPolicyId: policyId }],
    before: eventId,
  },
  "groups/create-group": { name: "Another" },
  "groups/update-group": { name: "Renamed" },
  "groups/add-group-member": { userId },
  "notifications/update-notification": { status: "ACKNOWLEDGED" },
  "workspaces/create-workspace": { name: "Another" },
  // The fields that a manager may set; only owners may set the other fields.
  "workspaces/update-workspace": { urgentFloor: { ways: ["push"], withinMinutes: 5 } },
  "members/add-member": { userId, name: "Bob", email: "bob@acme.example" },
  "invitations/create-invitation": { email: "another@acme.example", role: "viewer", groupIds: [groupId] },
  "members/update-member": { role: "manager" },
  "devices/register-device": { token: "another-token", platform: "web" },
  "devices/verify-device": { code: "123456" },
  "receipts/take-receipt": { token: "none", status: "DELIVERED", at: 0, signature: "none" },
  "notification-rules/put-notification-rules": { rungs: { HIGH: [{ afterMinutes: 0, ways: ["push"] }] } },
  "on-call/put-on-call": {
    timeZone: "UTC",
    layers: [{ start: "2026-11-02T09:00", every: 1, unit: "day", participants: [userId] }],
  },
  "on-call/create-override": { userId, start: "2026-12-01T00:00:00Z", end: "2026-12-02T00:00:00Z" },
  "covers/ask-for-cover": { start: "2026-11-25T12:00:00Z", end: "2026-11-25T14:00:00Z", note: "Exam" },
  "escalation-policies/create-escalation-policy": {
    name: "Another",
    steps: [
      {
        delayMinutes: 1,
        targets: [
          { type: "group", groupId },
          { type: "user", userId },
        ],
      },
    ],
  },
  "escalation-policies/update-escalation-policy": {
    steps: [{ delayMinutes: 1, targets: [{ type: "user", userId }] }],
  },
  "silences/create-silence": { name: "Another", eventKey: "nothing.ever", endsAt: "2099-01-01T00:00:00Z" },
  "workspaces/begin-shadow": { until: "2026-11-30T08:00:00Z" },
  "webhooks/set-switch": { url: "https://hc-ping.com/0c63e4f2", everyMinutes: 5, deviceId },
  "webhooks/create-webhook": { name: "Another", url: "https://hooks.example.com/alerts" },
  "webhooks/update-webhook": { name: "Another", paused: true },
  "webhooks/replay-webhook": { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" },
  "connections/create-connection": { name: "Another", kind: "slack", channel: "C0123456790", groupIds: [groupId] },
  "connections/update-connection": { name: "Another", groupIds: [groupId], paused: true },
  "slack/tie-slack-account": { token: slackToken },
  "heartbeats/create-heartbeat": { name: "Another", everySeconds: 3600, graceSeconds: 60, priority: "LOW" },
  "heartbeats/update-heartbeat": { name: "Another", paused: false },
  "silences/update-silence": { name: "Another", includeUrgent: true },
});
