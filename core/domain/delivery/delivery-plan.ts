import * as v from "valibot";
import { formatNotificationId, formatPackId, type PackId } from "../basics/ids.ts";
import { PACK_RECIPIENTS_MAX } from "../basics/limits.ts";
import { Recipient } from "../people/recipient.ts";
import { Priority } from "../basics/priority.ts";
import { UnreachedGroup } from "../people/recipient.ts";
import { FrozenPolicy } from "../escalation/escalation-policy.ts";

/** The rule by whose order somebody is told, as it was when it matched. */
export const RuleRef = v.object({ id: v.string(), version: v.number(), name: v.string() });
export type RuleRef = v.InferOutput<typeof RuleRef>;

/** Who is told by one rule (or one escalation step of it), and how. */
export const PlannedRule = v.object({
  rule: RuleRef,
  requiresAck: v.boolean(),
  priority: Priority,
  priorityFrom: v.picklist(["event", "rule"]),
  recipients: v.array(Recipient),
  /** Target groups in which nobody was to be told; not there when each had somebody. */
  unreached: v.optional(v.array(UnreachedGroup)),
  /** The escalation that is armed with this rule's notifications, as the policy stood then. */
  escalation: v.optional(FrozenPolicy),
});
export type PlannedRule = v.InferOutput<typeof PlannedRule>;

/**
 * Everything that an event leads to, decided once: a retry follows the plan, whatever has changed meanwhile. The order
 * of the rules and of their recipients gives the notifications their ids.
 */
export const DeliveryPlan = v.object({
  /** When the plan was made, in milliseconds; `createdAt` of its notifications. */
  at: v.number(),
  rulesVersion: v.number(),
  peopleVersion: v.number(),
  rules: v.array(PlannedRule),
});
export type DeliveryPlan = v.InferOutput<typeof DeliveryPlan>;

/** Up to 16 recipients of one rule, stored, sent and acknowledged together. */
export type PlannedPack = { packId: string; planned: PlannedRule; recipients: readonly Recipient[] };

export const packCount = (recipients: readonly Recipient[]): number =>
  Math.ceil(recipients.length / PACK_RECIPIENTS_MAX);

/** Which notification is a user's among some recipients of a rule, or undefined when the user is none of them. */
export const notificationIdOf = (
  recipients: readonly Recipient[],
  userId: string,
  place: Omit<PackId, "pack">,
): string | undefined => {
  const index = recipients.findIndex((recipient) => recipient.userId === userId);
  if (index < 0) return undefined;
  const pack = Math.floor(index / PACK_RECIPIENTS_MAX);
  return formatNotificationId(formatPackId({ ...place, pack }), index % PACK_RECIPIENTS_MAX);
};

/** The packs of some recipients of a rule; `cursor` 0 is the rule itself, the others are its escalation's steps. */
export const packsOf = (
  planned: PlannedRule,
  recipients: readonly Recipient[],
  place: Omit<PackId, "pack">,
): PlannedPack[] =>
  packIdsOf(place, packCount(recipients)).map((packId, pack) => ({
    packId,
    planned,
    recipients: recipients.slice(pack * PACK_RECIPIENTS_MAX, (pack + 1) * PACK_RECIPIENTS_MAX),
  }));

/** The ids of so many packs in one place. */
export const packIdsOf = (place: Omit<PackId, "pack">, packs: number): string[] =>
  Array.from({ length: packs }, (_, pack) => formatPackId({ ...place, pack }));

export const packsOfPlan = (plan: DeliveryPlan, seq: number): PlannedPack[] =>
  plan.rules.flatMap((planned, rule) => packsOf(planned, planned.recipients, { at: plan.at, seq, rule, cursor: 0 }));

export const notificationCount = (plan: DeliveryPlan): number =>
  plan.rules.reduce((sum, planned) => sum + planned.recipients.length, 0);
