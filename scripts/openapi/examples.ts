import { warn } from "../../core/domain/people/warning.ts";
import type { AnswerName, InputName } from "./shapes.ts";

const ws = "ws_3k9x2m7q0v5t8w1z";
const grp = "grp_5h1j8n4c2d7f9g0k";
const rule = "rule_0a2b4c6d8e1f3g5h";
const pol = "pol_7t3v9w1x5y2z4a6b";
const evt = "evt_00000003f9k2m4p6q8r0t";
const ntf = "ntf_1h2k3m4n500000003f00000000000";
const ann = "usr_0f8fad5bd9cb469fa16570867728950e";
const bob = "usr_7c9e66797425440de944be07fc1f9073";
const at = "2026-11-21T12:00:00.000Z";
const later = "2026-11-21T12:00:01.250Z";

const condition = { field: "data.amount", operator: "greater_than", value: 1000 };
const event = {
  event: "booking.created",
  title: "New booking",
  body: "Suite 12, three nights, 1,840 EUR",
  priority: "HIGH",
  detail: "Booked by phone. The guest arrives late.",
  data: { site: "https://hotel.example", site_name: "Hotel Example", amount: 1840 },
  url: "https://hotel.example/bookings/9",
  dedupeKey: "booking-9",
};
const ruleInput = {
  name: "Big bookings",
  eventKey: "booking.*",
  targets: [{ type: "group", groupId: grp }],
  conditions: [condition],
  conditionMatch: "all",
  requiresAck: true,
  priorityOverride: "URGENT",
  onCallOnly: true,
  escalationPolicyId: pol,
};
const storedRule = {
  id: rule,
  workspaceId: ws,
  ...ruleInput,
  enabled: true,
  version: 1,
  createdAt: at,
  updatedAt: at,
};
const silence = {
  name: "Saturday's release",
  eventKey: "deploy.*",
  conditions: [{ field: "data.environment", operator: "equals", value: "staging" }],
  conditionMatch: "all",
  startsAt: "2026-11-21T00:00:00Z",
  endsAt: null,
  weekly: { days: ["sat"], from: "22:00", to: "02:00", timeZone: "Europe/Berlin" },
  includeUrgent: false,
};
const heartbeatInput = { name: "Nightly backup", everySeconds: 86_400, graceSeconds: 1_800, priority: "HIGH" };
const heartbeat = {
  id: "hb_2b4d6f8h0k3m5p7r",
  workspaceId: ws,
  ...heartbeatInput,
  paused: false,
  status: "up",
  lastCallAt: at,
  missedAfter: "2026-11-22T12:30:00.000Z",
  missedSince: null,
  createdAt: at,
  updatedAt: at,
};
const heartbeatUrl =
  "https://alerts.example/v1/heartbeats/call_3k9x2m7q0v5t8w1z_2b4d6f8h0k3m5p7r_47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU";
const trace = {
  matches: true,
  enabled: true,
  eventKey: { expected: "booking.*", actual: "booking.created", verdict: true },
  conditionMatch: "all",
  conditions: [{ field: "data.amount", operator: "greater_than", expected: 1000, actual: 1840, verdict: true }],
};
const notification = {
  id: ntf,
  status: "SENT",
  failedReason: null,
  priority: "URGENT",
  requiresAck: true,
  createdAt: at,
  sentAt: later,
  acknowledgedAt: null,
  acknowledgedBy: null,
  event: { id: evt, eventKey: "booking.created", title: "New booking" },
  user: { id: ann, name: "Ann", email: "ann@acme.example" },
  rule: { id: rule, name: "Big bookings", version: 1 },
  escalationStep: 0,
};
const listItem = {
  id: evt,
  eventKey: "booking.created",
  title: "New booking",
  priority: "HIGH",
  receivedAt: at,
  state: "open",
  _count: { notifications: 1 },
};
const layer = {
  start: "2026-03-02T09:00",
  every: 1,
  unit: "week",
  participants: [ann, bob],
  restrictions: [{ days: ["mon", "tue", "wed", "thu", "fri"], from: "09:00", to: "17:00" }],
};
const override = { userId: bob, start: "2026-12-24T00:00:00.000Z", end: "2026-12-27T00:00:00.000Z" };
const storedOverride = { id: "ovr_2b4d6f8h1k3m5p7r", groupId: grp, ...override, createdAt: at };
const schedule = { timeZone: "Europe/Berlin", layers: [layer] };
const policy = {
  name: "Night shift",
  repeat: 2,
  confirmWithinSeconds: 60,
  steps: [
    { delayMinutes: 5, targets: [{ type: "group", groupId: grp, onCallOnly: true }] },
    { delayMinutes: 10, targets: [{ type: "user", userId: bob }] },
  ],
};
const storedPolicy = { id: pol, workspaceId: ws, ...policy, version: 1, createdAt: at, updatedAt: at };
const onCallAnn = {
  userId: ann,
  name: "Ann",
  email: "ann@acme.example",
  inGroup: true,
  source: { kind: "layer", layer: 0, start: "2026-11-16T08:00:00.000Z", end: "2026-11-23T08:00:00.000Z" },
};

const told = { userId: ann, name: "Ann", email: "ann@acme.example" };
const person = { ...told, groupId: grp, onCallLayer: 0, overrideId: null };
const past = { id: evt, eventKey: "booking.created", title: "New booking", priority: "NORMAL", receivedAt: at };

/** An example of every input. */
export const inputExamples: Readonly<Record<InputName, unknown>> = {
  SourcePayload: { event_action: "resolve", routing_key: "eak_...", dedup_key: "disk-db-1" },
  EventInput: event,
  ApiKeyInput: { name: "Booking system" },
  RoutingRuleInput: ruleInput,
  RoutingRulePatch: { enabled: false, priorityOverride: null },
  DryRunInput: { event, rule: { name: "Draft", eventKey: "*", targets: ruleInput.targets } },
  SimulationInput: {
    event,
    at: "2026-12-24T23:00:00Z",
    rules: [{ id: rule, ...ruleInput, requiresAck: true, escalationPolicyId: pol }],
    policies: [{ id: pol, ...policy }],
  },
  HistoryInput: { rules: [{ id: rule, ...ruleInput, enabled: false }], days: 7 },
  GroupPatch: { name: "Front desk" },
  GroupInput: { name: "Front desk" },
  GroupMemberInput: { userId: ann },
  NotificationReport: { status: "ACKNOWLEDGED" },
  WorkspaceInput: { name: "Acme" },
  WorkspacePatch: { name: "Acme Hotels" },
  MemberInput: { userId: ann, name: "Ann", email: "ann@acme.example" },
  DeviceInput: { token: "fcm-registration-token", platform: "ios", name: "Ann's phone" },
  ReceiptInput: {
    token: "ws_1.usr_1.dev_1.ntf_1.1795264800.47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU",
    status: "ACKNOWLEDGED",
    at: 1_795_262_400_000,
    signature: "A".repeat(86),
  },
  OnCallScheduleInput: schedule,
  OnCallOverrideInput: override,
  EscalationPolicyInput: policy,
  EscalationPolicyPatch: { repeat: 0 },
  AcknowledgeInput: { eventIds: [evt] },
  ResolveInput: { note: "The disk was replaced." },
  SilenceInput: silence,
  SilencePatch: { endsAt: "2026-12-24T06:00:00Z" },
  HeartbeatInput: heartbeatInput,
  HeartbeatPatch: { paused: true },
};

/** An example of every answer. */
export const answerExamples: Readonly<Record<AnswerName, unknown>> = {
  EventAccepted: {
    ok: true,
    eventId: evt,
    eventType: "booking.created",
    matchedRules: 0,
    notificationsQueued: 0,
    id: evt,
    eventKey: "booking.created",
    title: "New booking",
    createdAt: at,
  },
  EventsTaken: {
    ok: true,
    events: [{ eventId: evt, eventKey: "alertmanager.firing", deduplicated: false, warnings: [] }],
  },
  EventDeduplicated: { ok: true, eventId: evt, deduplicated: true },
  Ping: { ok: true, workspaceId: ws, workspaceName: "Acme" },
  ApiKey: { id: "key_4c6e8g0j2m4p6r8t", name: "Booking system", createdAt: at },
  ApiKeyWithText: {
    id: "key_4c6e8g0j2m4p6r8t",
    name: "Booking system",
    key: "eak_<workspace>_<secret>_<checksum>",
    createdAt: at,
  },
  RoutingRule: storedRule,
  WrittenRoutingRule: {
    ...storedRule,
    warnings: [warn("no_devices", grp)],
  },
  DryRun: {
    matchedRules: 1,
    recipients: 1,
    rules: [
      {
        id: rule,
        name: "Big bookings",
        ...trace,
        requiresAck: true,
        priority: "URGENT",
        recipients: [person],
        recipientsNotListed: 0,
        unreached: [],
      },
    ],
    omittedRules: 0,
    warnings: [],
  },
  Simulation: {
    at,
    outcome: "delivered",
    matchedRules: 1,
    recipients: 1,
    silence: null,
    rules: [
      {
        id: rule,
        name: "Big bookings",
        ...trace,
        draft: "replaced",
        undecided: false,
        requiresAck: true,
        priority: "URGENT",
        recipients: [person],
        recipientsNotListed: 0,
        unreached: [],
      },
    ],
    omittedRules: 0,
    escalations: [
      {
        ruleId: rule,
        policy: { id: pol, name: policy.name },
        steps: [
          {
            step: 1,
            steps: 1,
            round: 1,
            rounds: 1,
            delayMinutes: 5,
            at,
            because: "delay",
            recipients: [person],
            unreached: [],
          },
        ],
        stepsIfUnconfirmed: null,
      },
    ],
    escalationsNotListed: 0,
    people: [
      {
        userId: ann,
        name: "Ann",
        email: "ann@acme.example",
        firstToldAt: at,
        reachable: "proven",
        devices: [{ id: "dev_6h8k0m2p4r6t8w0y", platform: "ios", by: "fcm" }],
      },
    ],
    peopleNotListed: 0,
    warnings: [],
  },
  History: {
    from: at,
    events: 120,
    moreTold: 0,
    lessTold: 3,
    newlyTold: 0,
    notToldAnyMore: 2,
    people: [{ userId: ann, name: "Ann", email: "ann@acme.example", more: 0, less: 3 }],
    peopleNotListed: 0,
    rules: [{ id: rule, name: "Big bookings", draft: "replaced", matched: 0, matchedBefore: 3, examples: [] }],
    examples: [{ event: past, more: { count: 0, people: [] }, less: { count: 1, people: [told] } }],
    readUnits: 15,
    next: null,
    warnings: [],
  },
  Group: { id: grp, name: "Front desk", workspaceId: ws, createdAt: at },
  GroupMember: { groupId: grp, userId: ann, createdAt: at },
  GroupMemberWithName: { groupId: grp, userId: ann, createdAt: at, name: "Ann", email: "ann@acme.example" },
  EventPage: { total: 1, page: 1, limit: 50, items: [listItem] },
  Event: {
    ...listItem,
    acknowledgedBy: null,
    acknowledgedAt: null,
    resolvedBy: null,
    resolvedAt: null,
    note: null,
    workspaceId: ws,
    body: event.body,
    detail: event.detail,
    data: event.data,
    url: event.url,
    dedupeKey: event.dedupeKey,
    resolves: null,
    requiresAck: null,
    matched: true,
    outcome: "delivered",
    silence: null,
    matchedRules: [{ id: rule, name: "Big bookings", version: 1, unreached: [] }],
    matchedRulesNotListed: 0,
    notifications: [notification],
    notificationsNotListed: 0,
  },
  EventExplanation: {
    event: { id: evt, eventKey: "booking.created", title: "New booking", receivedAt: at },
    user: { id: bob, name: "Bob", email: "bob@acme.example" },
    told: false,
    summary: 'Rule "Big bookings": The rule matched and tells only who is on call; this person was not on call then.',
    decidedAt: at,
    rules: [
      {
        id: rule,
        name: "Big bookings",
        version: 1,
        reason: "not_on_call",
        message: "The rule matched and tells only who is on call; this person was not on call then.",
        basis: "record",
        trace,
        groups: [{ groupId: grp, groupName: "Front desk", standing: "not_on_call" }],
        notifications: [],
        escalation: null,
      },
    ],
    rulesNotListed: 0,
    silence: null,
    heartbeat: null,
    notes: [],
  },
  EventLife: {
    id: evt,
    state: "acknowledged",
    acknowledgedBy: { id: ann, name: "Ann" },
    acknowledgedAt: later,
    resolvedBy: null,
    resolvedAt: null,
    note: null,
  },
  Notification: notification,
  NotificationWhy: {
    ...notification,
    why: {
      summary:
        `Ann was told at ${at} because rule "Big bookings" (version 1) matched, ` +
        'and Ann was on call in group "Front desk".',
      rule: { id: rule, name: "Big bookings", version: 1 },
      trace,
      undecided: false,
      target: { type: "group", groupId: grp, groupName: "Front desk", onCall: { kind: "layer", layer: 0 } },
      priority: { value: "URGENT", from: "rule", event: "HIGH", override: "URGENT" },
      requiresAck: { value: true, from: "rule" },
      escalation: null,
      devices: [{ deviceId: "dev_6f8h0k2m4p6r8t0v", outcome: "accepted", tries: 1, meaning: "FCM took the push." }],
    },
  },
  Workspace: { id: ws, name: "Acme", createdAt: at },
  Member: { userId: ann, name: "Ann", email: "ann@acme.example", createdAt: at },
  ListedMember: {
    userId: ann,
    name: "Ann",
    email: "ann@acme.example",
    createdAt: at,
    reachable: "proven",
    silent: false,
  },
  WebPushKey: {
    publicKey: "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
  },
  Device: {
    id: "dev_6f8h0k2m4p6r8t0v",
    platform: "ios",
    name: "Ann's phone",
    createdAt: at,
    registeredAt: at,
    lastSeenAt: at,
    lastDeliveredAt: at,
    lastFailure: null,
    silent: false,
    sendsReceipts: true,
    lastTest: { sentAt: at, shownAt: at },
  },
  DeviceTestAnswer: { sentAt: at, outcome: "accepted", code: null },
  ReceiptAnswer: { status: "ACKNOWLEDGED" },
  GroupOnCallNow: { groupName: "Front desk", groupId: grp, at, onCall: [], next: null },
  Shift: { groupId: grp, groupName: "Front desk", start: at, end: later, inGroup: true },
  CalendarAddress: {
    url: "https://alerts.example/v1/calendars/cal_3k9x2m7q0v5t8w1z_47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU.ics",
    createdAt: at,
  },
  OnCallSchedule: { ...schedule, groupId: grp, updatedAt: at, overrides: [storedOverride] },
  WrittenSchedule: {
    ...schedule,
    groupId: grp,
    updatedAt: at,
    gaps: [{ start: "2026-11-21T12:00:00.000Z", end: "2026-11-23T08:00:00.000Z" }],
    warnings: [warn("gaps")],
  },
  OnCallNow: { groupId: grp, at, onCall: [onCallAnn], next: null },
  WrittenOverride: { ...storedOverride, warnings: [] },
  EscalationPolicy: storedPolicy,
  WrittenEscalationPolicy: { ...storedPolicy, warnings: [warn("group_empty", grp)] },
  Heartbeat: heartbeat,
  HeartbeatWithUrl: { ...heartbeat, url: heartbeatUrl },
  ChangedHeartbeat: { ...heartbeat, paused: true, status: "paused", missedAfter: null },
  HeartbeatCall: { ok: true, name: "Nightly backup", nextBefore: "2026-11-22T12:30:00.000Z" },
  Silence: {
    id: "sil_4c6d8e1f3g5h7j9k",
    workspaceId: ws,
    ...silence,
    startsAt: "2026-11-21T00:00:00.000Z",
    endsAt: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
    active: false,
    until: "2026-11-21T21:00:00.000Z",
  },
  EventType: { eventKey: "booking.created", firstSeenAt: at },
  EventTypeWithFields: {
    eventKey: "booking.created",
    firstSeenAt: at,
    fields: [{ path: "data.amount", types: ["number"], samples: [1840, 310] }],
  },
  Statistics: {
    week: "2026-11-16",
    rule: null,
    group: null,
    events: 212,
    toAcknowledge: 31,
    notifications: 148,
    notificationsAtNight: 6,
    acknowledged: { count: 30, mean: 214.8, median: 117.4, p90: 558.3 },
    resolved: { count: 24, mean: 2410.5, median: 1579.1, p90: 6316.4 },
  },
  Site: { site: "https://hotel.example", name: "Hotel Example", firstSeenAt: at, lastSeenAt: later, events: 12 },
};
