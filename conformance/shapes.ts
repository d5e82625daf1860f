import * as v from "valibot";

const timestamp = v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/, "no timestamp in UTC"));
const id = (prefix: string) =>
  v.pipe(v.string(), v.regex(new RegExp(`^${prefix}_[0-9A-Za-z]+$`), `no id of ${prefix}`));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const priority = v.picklist(["LOW", "NORMAL", "HIGH", "URGENT"]);

/* The shape of each answer, written a second time, by hand and strictly: an additional field is a fault here. */

const FieldWarning = v.strictObject({ field: v.string(), code: v.string(), message: v.string() });

export const Accepted = v.strictObject({
  ok: v.literal(true),
  eventId: id("evt"),
  eventType: v.string(),
  matchedRules: v.literal(0),
  notificationsQueued: v.literal(0),
  id: id("evt"),
  eventKey: v.string(),
  title: v.string(),
  createdAt: timestamp,
  warnings: v.optional(v.array(FieldWarning)),
});
export const Deduplicated = v.strictObject({
  ok: v.literal(true),
  eventId: id("evt"),
  deduplicated: v.literal(true),
  warnings: v.optional(v.array(FieldWarning)),
});
const TakenEvent = v.strictObject({
  eventId: id("evt"),
  eventKey: v.string(),
  deduplicated: v.boolean(),
  warnings: v.array(FieldWarning),
});
export const EventsTaken = v.looseObject({ ok: v.literal(true), events: v.array(TakenEvent) });
export const Ping = v.strictObject({ ok: v.literal(true), workspaceId: id("ws"), workspaceName: v.string() });

export const ApiKey = v.strictObject({
  id: id("key"),
  name: v.string(),
  createdAt: timestamp,
  createdBy: v.nullable(v.strictObject({ id: id("usr"), name: v.string() })),
  lastUsedAt: v.nullable(timestamp),
  mayResolve: v.picklist(["own", "any"]),
  source: v.exactOptional(v.string()),
  mapping: v.exactOptional(v.looseObject({})),
  eventKeys: v.exactOptional(v.array(v.string())),
  expiresAt: v.exactOptional(timestamp),
});
export const NewApiKey = v.strictObject({ ...ApiKey.entries, key: v.pipe(v.string(), v.minLength(32)) });
/** A key for the messages of one tool. */
export const NewSourceKey = v.strictObject({ ...NewApiKey.entries, source: v.string(), url: v.string() });

export const Group = v.strictObject({ id: id("grp"), name: v.string(), workspaceId: id("ws"), createdAt: timestamp });
export const GroupMember = v.strictObject({ groupId: id("grp"), userId: id("usr"), createdAt: timestamp });
export const GroupMemberWithName = v.strictObject({ ...GroupMember.entries, name: v.string(), email: v.string() });

const ruleEntries = {
  id: id("rule"),
  workspaceId: id("ws"),
  name: v.string(),
  eventKey: v.string(),
  targets: v.array(v.strictObject({ type: v.literal("group"), groupId: id("grp") })),
  conditions: v.array(
    v.strictObject({
      field: v.string(),
      operator: v.string(),
      value: v.optional(v.unknown()),
      not: v.exactOptional(v.literal(true)),
      ignoreCase: v.exactOptional(v.literal(true)),
    }),
  ),
  conditionMatch: v.picklist(["all", "any"]),
  requiresAck: v.boolean(),
  priorityOverride: v.nullable(v.picklist(["LOW", "NORMAL", "HIGH", "URGENT", "CRITICAL"])),
  onCallOnly: v.boolean(),
  escalationPolicyId: v.nullable(id("pol")),
  enabled: v.boolean(),
  fallback: v.boolean(),
  activeHours: v.nullable(v.array(v.strictObject({ days: v.array(v.string()), from: v.string(), to: v.string() }))),
  timeZone: v.nullable(v.string()),
  groupBy: v.nullable(v.array(v.string())),
  groupMinutes: v.nullable(count),
  atLeast: v.nullable(v.strictObject({ count, withinMinutes: count })),
  version: count,
  createdAt: timestamp,
  updatedAt: timestamp,
};
const Warning = v.strictObject({
  code: v.string(),
  message: v.string(),
  id: v.optional(v.string()),
  field: v.optional(v.string()),
});
export const Rule = v.strictObject({ ...ruleEntries, warnings: v.array(Warning) });

const Notice = v.strictObject({ to: v.picklist(["owners", "people"]), because: v.string() });
const Who = v.strictObject({ id: v.string(), name: v.string() });
const State = v.picklist(["none", "open", "acknowledged", "resolved", "expired"]);
const lifeEntries = {
  state: State,
  acknowledgedBy: v.nullable(Who),
  acknowledgedAt: v.nullable(timestamp),
  acknowledgedUntil: v.nullable(timestamp),
  resolvedBy: v.nullable(Who),
  resolvedAt: v.nullable(timestamp),
  note: v.nullable(v.string()),
  expiredAt: v.nullable(timestamp),
};
export const EventNote = v.strictObject({ id: id("note"), createdAt: timestamp, by: Who, text: v.string() });
export const EventLife = v.strictObject({ id: id("evt"), ...lifeEntries });

export const Notification = v.strictObject({
  id: id("ntf"),
  status: v.picklist(["QUEUED", "SENT", "DELIVERED", "OPENED", "ACKNOWLEDGED", "FAILED"]),
  failedReason: v.nullable(v.string()),
  priority,
  requiresAck: v.boolean(),
  quiet: v.nullable(v.picklist(["too_many"])),
  createdAt: timestamp,
  sentAt: v.nullable(timestamp),
  acknowledgedAt: v.nullable(timestamp),
  acknowledgedBy: v.nullable(Who),
  acknowledgedUntil: v.nullable(timestamp),
  event: v.strictObject({ id: id("evt"), eventKey: v.string(), title: v.string() }),
  user: v.strictObject({ id: id("usr"), name: v.string(), email: v.string() }),
  rule: v.strictObject({ id: v.union([id("rule"), v.literal("service")]), name: v.string(), version: count }),
  escalationStep: count,
  added: v.nullable(
    v.strictObject({
      because: v.picklist(["still_on_it", "open_again", "told", "escalated", "handed_over", "flapping"]),
      by: v.nullable(Who),
      note: v.nullable(v.string()),
    }),
  ),
});
export type Notification = v.InferOutput<typeof Notification>;

const ListedEvent = v.strictObject({
  id: id("evt"),
  eventKey: v.string(),
  title: v.string(),
  priority,
  receivedAt: timestamp,
  state: State,
  groupedInto: v.nullable(id("evt")),
  _count: v.strictObject({ notifications: count }),
});
export const EventPage = v.strictObject({ total: count, page: count, limit: count, items: v.array(ListedEvent) });
export const Event = v.strictObject({
  ...ListedEvent.entries,
  ...lifeEntries,
  workspaceId: id("ws"),
  body: v.string(),
  detail: v.nullable(v.string()),
  // Not a record: that would drop keys such as `constructor`.
  data: v.nullable(v.custom<object>((value) => typeof value === "object")),
  url: v.nullable(v.string()),
  dedupeKey: v.nullable(v.string()),
  resolves: v.nullable(v.string()),
  requiresAck: v.nullable(v.boolean()),
  sender: v.nullable(v.strictObject({ id: v.string(), name: v.string() })),
  matched: v.boolean(),
  outcome: v.picklist([
    "pending",
    "no_match",
    "no_recipient",
    "delivered",
    "partial",
    "all_failed",
    "silenced",
    "flapping",
    "grouped",
    "below_threshold",
  ]),
  silence: v.nullable(v.strictObject({ id: id("sil"), name: v.string(), recipients: count })),
  afterSilence: v.nullable(v.strictObject({ id: id("sil"), name: v.string() })),
  flapping: v.nullable(v.strictObject({ until: timestamp, recipients: count })),
  grouped: count,
  belowThreshold: v.nullable(v.strictObject({ count, of: count })),
  notes: v.array(EventNote),
  notice: v.nullable(Notice),
  matchedRules: v.array(
    v.strictObject({ id: id("rule"), name: v.string(), version: count, unreached: v.array(v.unknown()) }),
  ),
  matchedRulesNotListed: count,
  notifications: v.array(Notification),
  notificationsNotListed: count,
});

const workspaceEntries = { id: id("ws"), name: v.string(), version: count, createdAt: timestamp };
const AddedBy = v.nullable(v.strictObject({ id: id("usr"), name: v.string() }));
const Role = v.picklist(["viewer", "responder", "manager", "owner"]);
export const ListedWorkspace = v.strictObject({ ...workspaceEntries, addedBy: AddedBy, role: Role });
const Plan = v.strictObject({ monthlyEvents: count, eventsPerMinute: count, burst: count });
const Usage = v.strictObject({
  month: v.pipe(v.string(), v.regex(/^\d{4}-\d{2}$/)),
  used: count,
  limit: count,
  resetAt: timestamp,
});
export const Workspace = v.strictObject({ ...workspaceEntries, plan: Plan, usage: Usage });
export const Member = v.strictObject({
  userId: id("usr"),
  name: v.string(),
  email: v.string(),
  createdAt: timestamp,
  addedBy: AddedBy,
  role: Role,
});
export const ListedMember = v.strictObject({
  ...Member.entries,
  reachable: v.picklist(["proven", "unproven", "no"]),
  silent: v.boolean(),
});
export const Device = v.strictObject({
  id: id("dev"),
  platform: v.picklist(["ios", "android", "web"]),
  name: v.nullable(v.string()),
  createdAt: timestamp,
  registeredAt: timestamp,
  ways: v.array(v.picklist(["push", "email"])),
  email: v.nullable(v.string()),
  verified: v.boolean(),
  lastSeenAt: timestamp,
  lastDeliveredAt: v.nullable(timestamp),
  lastFailure: v.nullable(v.strictObject({ at: timestamp, code: v.string() })),
  mustRenew: v.boolean(),
  silent: v.boolean(),
  sendsReceipts: v.boolean(),
  lastTest: v.nullable(v.strictObject({ sentAt: timestamp, shownAt: v.nullable(timestamp) })),
});
export const DeviceTestAnswer = v.strictObject({
  sentAt: timestamp,
  outcome: v.string(),
  code: v.nullable(v.string()),
});

const Shift = v.looseObject({ userId: id("usr"), name: v.string(), email: v.string() });
export const OnCallNow = v.strictObject({
  groupId: id("grp"),
  at: timestamp,
  onCall: v.array(Shift),
  next: v.nullable(v.strictObject({ at: timestamp, onCall: v.array(Shift) })),
});
export const GroupOnCallNow = v.strictObject({ groupName: v.string(), ...OnCallNow.entries });
export const MyShift = v.strictObject({
  groupId: id("grp"),
  groupName: v.string(),
  start: timestamp,
  end: v.nullable(timestamp),
  inGroup: v.boolean(),
});
export const CalendarAddress = v.strictObject({ url: v.pipe(v.string(), v.url()), createdAt: timestamp });

export const WrittenSchedule = v.looseObject({ layers: v.array(v.unknown()), warnings: v.array(Warning) });
export const Schedule = v.looseObject({ groupId: id("grp"), timeZone: v.string(), layers: v.array(v.unknown()) });
export const Override = v.looseObject({ id: id("ovr"), userId: id("usr"), start: timestamp, end: timestamp });

const policyEntries = {
  id: id("pol"),
  workspaceId: id("ws"),
  name: v.string(),
  repeat: count,
  confirmWithinSeconds: v.nullable(count),
  ackMinutes: v.nullable(count),
  steps: v.array(v.strictObject({ delayMinutes: count, targets: v.array(v.unknown()) })),
  version: count,
  createdAt: timestamp,
  updatedAt: timestamp,
};
export const Policy = v.strictObject(policyEntries);
export const WrittenPolicy = v.strictObject({ ...policyEntries, warnings: v.array(Warning) });

const silenceEntries = {
  id: id("sil"),
  workspaceId: id("ws"),
  name: v.string(),
  eventKey: v.string(),
  conditions: v.array(v.unknown()),
  conditionMatch: v.picklist(["all", "any"]),
  startsAt: timestamp,
  endsAt: v.nullable(timestamp),
  weekly: v.nullable(
    v.strictObject({ days: v.array(v.string()), from: v.string(), to: v.string(), timeZone: v.string() }),
  ),
  includeUrgent: v.boolean(),
  afterwards: v.picklist(["tell", "drop"]),
  version: count,
  createdAt: timestamp,
  updatedAt: timestamp,
  everything: v.boolean(),
  active: v.boolean(),
  until: v.nullable(timestamp),
};
export const Silence = v.strictObject(silenceEntries);
export const SavedSilence = v.strictObject({
  ...silenceEntries,
  wouldHaveCovered: v.strictObject({ events: count, of: count, since: timestamp }),
});

const heartbeatEntries = {
  id: id("hb"),
  workspaceId: id("ws"),
  name: v.string(),
  everySeconds: count,
  graceSeconds: count,
  priority,
  paused: v.boolean(),
  status: v.picklist(["new", "up", "late", "missed", "paused"]),
  lastCallAt: v.nullable(timestamp),
  missedAfter: v.nullable(timestamp),
  missedSince: v.nullable(timestamp),
  version: count,
  createdAt: timestamp,
  updatedAt: timestamp,
};
export const Heartbeat = v.strictObject(heartbeatEntries);
export const WrittenHeartbeat = v.strictObject({ ...heartbeatEntries, warnings: v.array(Warning) });
export const HeartbeatWithUrl = v.strictObject({ ...WrittenHeartbeat.entries, url: v.pipe(v.string(), v.url()) });
export const HeartbeatCall = v.strictObject({
  ok: v.literal(true),
  name: v.string(),
  nextBefore: v.nullable(timestamp),
});

const webhookEntries = {
  id: id("wh"),
  workspaceId: id("ws"),
  name: v.string(),
  url: v.pipe(v.string(), v.url()),
  types: v.array(v.string()),
  eventKeys: v.nullable(v.array(v.string())),
  paused: v.boolean(),
  status: v.picklist(["active", "waiting", "suspended", "paused"]),
  failingSince: v.nullable(timestamp),
  nextTryAt: v.nullable(timestamp),
  lastFailure: v.nullable(v.strictObject({ at: timestamp, code: v.string() })),
  version: count,
  createdAt: timestamp,
  updatedAt: timestamp,
};
export const Webhook = v.strictObject(webhookEntries);
export const WebhookWithSecret = v.strictObject({
  ...webhookEntries,
  secret: v.pipe(v.string(), v.regex(/^whsec_[A-Za-z0-9+/]{43}=$/)),
});
export const WebhookDeliveries = v.strictObject({
  items: v.array(
    v.strictObject({
      id: v.string(),
      type: v.string(),
      eventId: id("evt"),
      sequence: count,
      status: v.picklist(["waiting", "delivered", "failed"]),
      tries: count,
      createdAt: timestamp,
      lastTriedAt: v.nullable(timestamp),
      code: v.nullable(v.string()),
    }),
  ),
});
export const WebhookTestAnswer = v.strictObject({ sentAt: timestamp, delivered: v.boolean(), code: v.string() });

export const EventType = v.strictObject({ eventKey: v.string(), firstSeenAt: timestamp });
export const EventTypeWithFields = v.strictObject({
  ...EventType.entries,
  fields: v.array(v.strictObject({ path: v.string(), types: v.array(v.string()), samples: v.array(v.unknown()) })),
  texts: v.array(v.strictObject({ path: v.string(), types: v.array(v.string()), samples: v.array(v.unknown()) })),
});
export const Site = v.strictObject({
  site: v.string(),
  name: v.string(),
  firstSeenAt: timestamp,
  lastSeenAt: timestamp,
  events: count,
});

export const DryRun = v.strictObject({
  matchedRules: count,
  recipients: count,
  rules: v.array(
    v.looseObject({
      id: v.nullable(id("rule")),
      matches: v.boolean(),
      conditions: v.array(
        v.strictObject({
          field: v.string(),
          operator: v.string(),
          not: v.exactOptional(v.literal(true)),
          ignoreCase: v.exactOptional(v.literal(true)),
          expected: v.unknown(),
          actual: v.unknown(),
          verdict: v.boolean(),
        }),
      ),
      recipients: v.array(v.looseObject({ userId: id("usr") })),
      recipientsNotListed: count,
    }),
  ),
  omittedRules: count,
  warnings: v.array(v.union([FieldWarning, Warning])),
});

const Person = v.strictObject({ userId: id("usr"), name: v.string(), email: v.string() });
const PastEvent = v.strictObject({
  id: id("evt"),
  eventKey: v.string(),
  title: v.string(),
  priority: v.string(),
  receivedAt: timestamp,
});
const Told = v.strictObject({ count, people: v.array(Person) });
const Draft = v.nullable(v.picklist(["added", "replaced"]));
const SimulatedStep = v.strictObject({
  step: count,
  steps: count,
  round: count,
  rounds: count,
  delayMinutes: count,
  at: timestamp,
  because: v.picklist(["delay", "nobody_reached", "not_confirmed"]),
  recipients: v.array(v.looseObject({ userId: id("usr") })),
  unreached: v.array(v.looseObject({ groupId: v.string(), because: v.string() })),
});

export const Simulated = v.strictObject({
  at: timestamp,
  outcome: v.string(),
  matchedRules: count,
  recipients: count,
  silence: v.nullable(v.strictObject({ id: id("sil"), name: v.string(), recipients: count })),
  notice: v.nullable(Notice),
  rules: v.array(
    v.looseObject({
      id: v.nullable(id("rule")),
      draft: Draft,
      matches: v.boolean(),
      undecided: v.boolean(),
      recipients: v.array(v.looseObject({ userId: id("usr") })),
    }),
  ),
  omittedRules: count,
  escalations: v.array(
    v.strictObject({
      ruleId: v.nullable(id("rule")),
      policy: v.strictObject({ id: id("pol"), name: v.string() }),
      steps: v.array(SimulatedStep),
      ackMinutes: v.nullable(count),
      stepsIfUnconfirmed: v.nullable(v.array(SimulatedStep)),
    }),
  ),
  escalationsNotListed: count,
  people: v.array(
    v.strictObject({
      ...Person.entries,
      firstToldAt: timestamp,
      reachable: v.picklist(["proven", "unproven", "no"]),
      devices: v.array(v.strictObject({ id: id("dev"), platform: v.string(), by: v.picklist(["fcm", "web-push"]) })),
    }),
  ),
  peopleNotListed: count,
  warnings: v.array(v.union([FieldWarning, Warning])),
});

export const SimulatedHistory = v.strictObject({
  from: timestamp,
  events: count,
  moreTold: count,
  lessTold: count,
  newlyTold: count,
  notToldAnyMore: count,
  people: v.array(v.strictObject({ ...Person.entries, more: count, less: count })),
  peopleNotListed: count,
  rules: v.array(
    v.strictObject({
      id: v.nullable(id("rule")),
      name: v.string(),
      draft: Draft,
      matched: count,
      matchedBefore: count,
      saved: v.strictObject({ of: count, grouped: count, belowThreshold: count }),
      examples: v.array(
        v.strictObject({
          event: PastEvent,
          silenced: v.boolean(),
          grouped: v.boolean(),
          belowThreshold: v.boolean(),
          told: Told,
        }),
      ),
    }),
  ),
  examples: v.array(v.strictObject({ event: PastEvent, more: Told, less: Told })),
  readUnits: v.number(),
  next: v.nullable(id("evt")),
  warnings: v.array(Warning),
});

const Took = v.strictObject({
  count,
  mean: v.nullable(v.number()),
  median: v.nullable(v.number()),
  p90: v.nullable(v.number()),
});
export const Statistics = v.strictObject({
  week: v.pipe(v.string(), v.isoDate()),
  rule: v.nullable(Who),
  group: v.nullable(Who),
  events: count,
  toAcknowledge: count,
  notifications: count,
  notificationsAtNight: count,
  notificationsSaved: count,
  acknowledged: Took,
  resolved: Took,
});
export type Statistics = v.InferOutput<typeof Statistics>;
