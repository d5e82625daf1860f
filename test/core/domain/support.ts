import * as v from "valibot";
import type { FrozenPolicy } from "../../../core/domain/escalation/escalation-policy.ts";
import type { GroupSchedule, OnCallOverride } from "../../../core/domain/on-call/views.ts";
import type { Pack, PackRecipient } from "../../../core/domain/delivery/pack.ts";
import { buildPeople, type People } from "../../../core/domain/people/people.ts";
import type { RoutingRule } from "../../../core/domain/rules/routing-rule.ts";
import type { Silence } from "../../../core/domain/rules/silence.ts";
import { RuleInput } from "../../../core/domain/rules/rule-input.ts";
import type { Cover } from "../../../core/domain/shifts/cover.ts";

/** Names, whether they are valid, and what they show about names in general. */
export const names: readonly (readonly [name: string | undefined, good: boolean, shown: string])[] = [
  ["x", true, "may have one character"],
  ["🚨".repeat(100), true, "may have 100 characters"],
  ["🚨".repeat(101), false, "may not have 101 characters"],
  ["", false, "may not be empty"],
  [undefined, false, "may not be missing"],
];

/** The time at which these tests evaluate events. */
export const NOON = Date.UTC(2026, 10, 21, 12);

export const to = (...groupIds: string[]) => groupIds.map((groupId) => ({ type: "group" as const, groupId }));

export const aRule = (fields: Partial<RoutingRule> = {}): RoutingRule => ({
  ...v.parse(RuleInput, { name: "Orders", eventKey: "order.failed", targets: to("grp_ops") }),
  id: "rule_1",
  workspaceId: "ws_1",
  enabled: true,
  version: 3,
  createdAt: "2026-11-01T00:00:00.000Z",
  updatedAt: "2026-11-02T00:00:00.000Z",
  ...fields,
});

/** A silence of all events for a day, after which people are notified. */
export const aSilence = (fields: Partial<Silence> = {}): Silence => ({
  id: "sil_1",
  workspaceId: "ws_1",
  name: "Quiet",
  eventKey: "order.*",
  conditions: [],
  conditionMatch: "all",
  startsAt: "2026-11-21T00:00:00.000Z",
  endsAt: "2026-11-22T00:00:00.000Z",
  weekly: null,
  includeUrgent: false,
  afterwards: "tell",
  version: 1,
  createdAt: "",
  updatedAt: "",
  ...fields,
});

/** A cover for a one-day shift of Ann's in Ops, which nobody has accepted yet. */
export const aCover = (fields: Partial<Cover> = {}): Cover => ({
  id: "cov_1",
  groupId: "grp_ops",
  userId: "usr_ann",
  start: "2027-05-01T00:00:00.000Z",
  end: "2027-05-02T00:00:00.000Z",
  state: "open",
  createdAt: "2026-11-21T12:00:00.000Z",
  createdBy: "usr_ann",
  asked: [],
  declined: new Set(),
  overrideIds: [],
  told: new Set(),
  ...fields,
});

/** A policy whose only step notifies Lead after five minutes. */
export const ladder: FrozenPolicy = {
  id: "pol_ladder",
  name: "Ladder",
  repeat: 0,
  steps: [{ delayMinutes: 5, targets: [{ type: "group", groupId: "grp_lead", onCallOnly: false }] }],
};

const createdAt = "2026-11-01T00:00:00.000Z";

/** A workspace's people. `members`: names by user id; `groups`: user ids by group id. Groups are named after their ids. */
export const aPeople = (kept: {
  members: Readonly<Record<string, string>>;
  groups: Readonly<Record<string, readonly string[]>>;
  schedules?: readonly Omit<GroupSchedule, "version">[];
  overrides?: readonly OnCallOverride[];
  policies?: readonly FrozenPolicy[];
}): People =>
  buildPeople({
    ...kept,
    members: Object.entries(kept.members).map(([userId, name]) => ({
      userId,
      name,
      email: `${name.toLowerCase()}@acme.example`,
      createdAt,
    })),
    groups: Object.keys(kept.groups).map((id) => ({
      id,
      name: id.charAt(4).toUpperCase() + id.slice(5),
      workspaceId: "ws_1",
      createdAt,
    })),
    groupMembers: Object.entries(kept.groups).flatMap(([groupId, users]) =>
      users.map((userId) => ({ groupId, userId })),
    ),
  });

/**
 * Ops has Ann and Bob, Lead has Cat, and Empty has nobody. From noon, Bob has a shift in Ops, and an override in Lead, which
 * has no effect because he is not a member.
 */
export const people: People = aPeople({
  members: { usr_ann: "Ann", usr_bob: "Bob", usr_cat: "Cat" },
  groups: { grp_ops: ["usr_ann", "usr_bob"], grp_lead: ["usr_cat"], grp_empty: [] },
  schedules: [
    {
      groupId: "grp_ops",
      timeZone: "UTC",
      layers: ["usr_cat", "usr_bob"].map((userId) => ({
        start: "2026-11-21T12:00",
        every: 1,
        unit: "day" as const,
        participants: [userId],
      })),
      updatedAt: "",
    },
  ],
  overrides: [
    {
      id: "ovr_1",
      groupId: "grp_lead",
      userId: "usr_bob",
      start: "2026-11-21T12:00:00.000Z",
      end: "2027-11-21T12:00:00.000Z",
      createdAt,
    },
  ],
  policies: [ladder],
});

/** A pack of a rule's first notification: one HIGH push to Ann in Ops, sent a second after noon. */
export const aPack = (fields: Partial<Pack> = {}): Pack => ({
  workspaceId: "ws_1",
  packId: "00000000100000000200000000",
  eventId: "evt_1",
  eventKey: "order.failed",
  title: "Order failed",
  priority: "HIGH",
  priorityFrom: "event",
  requiresAck: false,
  escalates: false,
  rule: { id: "rule_1", name: "Orders", version: 3 },
  createdAt: NOON,
  recipients: [],
  lease: undefined,
  toldOver: [],
  retryAt: undefined,
  ...fields,
});

export const aRecipient = (fields: Partial<PackRecipient> = {}): PackRecipient => ({
  notificationId: "ntf_1",
  userId: "usr_ann",
  name: "Ann",
  email: "ann@acme.example",
  reason: { groupId: "grp_ops" },
  status: "SENT",
  sentAt: NOON + 1_000,
  acknowledgedAt: undefined,
  acknowledgedBy: undefined,
  failedReason: undefined,
  attempts: undefined,
  ...fields,
});
