import * as v from "valibot";
import { formatNotificationId, formatPackId, parsePackId, type PackId } from "../basics/ids.ts";
import { Added, type Addition } from "./added.ts";
import { Recipient } from "../people/recipient.ts";
import { Priority } from "../basics/priority.ts";
import { UnreachedGroup } from "../people/recipient.ts";
import { FrozenPolicy } from "../escalation/escalation-policy.ts";
import { jsonSize } from "../basics/text.ts";
import { ShadowPlan } from "./shadow-plan.ts";

/** The maximum number of recipients that share one stored item. */
export const PACK_RECIPIENTS_MAX = 16;
/** The maximum number of packs that one message delivers. A larger plan is stored and delivered in parts. */
export const PART_PACKS_MAX = 64;
/** The maximum size of one part's rules as JSON, without recipients: a table item holds 400 KB. */
const PART_RULES_MAX_BYTES = 100_000;

/** The rule that notifies somebody, in the version that matched. */
export const RuleRef = v.object({ id: v.string(), version: v.number(), name: v.string() });
export type RuleRef = v.InferOutput<typeof RuleRef>;

/** The recipients of one rule (or one escalation step of it), and how they are notified. */
export const PlannedRule = v.object({
  rule: RuleRef,
  requiresAck: v.boolean(),
  priority: Priority,
  priorityFrom: v.picklist(["event", "rule"]),
  recipients: v.array(Recipient),
  /** Target groups in which nobody could be notified; absent if there are none. */
  unreached: v.optional(v.array(UnreachedGroup)),
  /** The policy of the escalation that this rule starts, in its version when the plan was made. */
  escalation: v.optional(FrozenPolicy),
  /** How many packs the rule has in total; set if `recipients` is only a part of the rule's recipients. */
  packs: v.optional(v.number()),
  /** Why people were added; set if this entry represents an addition instead of a rule. */
  added: v.optional(Added),
});
export type PlannedRule = v.InferOutput<typeof PlannedRule>;

/** The people whom an escalation step or an addition notifies, and when that was decided (milliseconds). */
export type Firing = { at: number; recipients: readonly Recipient[]; addition?: Addition | undefined };

/** The silence that covered an event, and how many people were not notified because of the silence. */
export const SilencedBy = v.object({ id: v.string(), name: v.string(), recipients: v.number() });
export type SilencedBy = v.InferOutput<typeof SilencedBy>;

/** The silence that held an event back; people were notified when the silence ended. */
export const KeptStillBy = v.object({ id: v.string(), name: v.string() });
export type KeptStillBy = v.InferOutput<typeof KeptStillBy>;

/**
 * The hold of an event whose alert flaps: its end (milliseconds), and how many people each rule does not notify because
 * of it; `held` is absent after people are notified.
 */
export const FlappingPlan = v.object({ until: v.number(), held: v.optional(v.array(v.number())) });
export type FlappingPlan = v.InferOutput<typeof FlappingPlan>;

/** Returns how many people are not notified because an alert flaps. */
export const countHeldByFlapping = ({ flapping }: { flapping?: FlappingPlan | undefined }): number =>
  (flapping?.held ?? []).reduce((sum, count) => sum + count, 0);

/** Returns whether an event pages nobody because its alert flaps. */
export const isFlapping = ({ flapping }: { flapping?: FlappingPlan | undefined }): boolean =>
  flapping?.held !== undefined;

/** Whether people were notified of an event only after a silence or a hold had ended. */
export const isNotifiedAfterHold = ({
  after,
  flapping,
}: {
  after?: object | undefined;
  flapping?: FlappingPlan | undefined;
}): boolean => after !== undefined || (flapping !== undefined && flapping.held === undefined);

/**
 * How one rule's grouping and threshold affect an event. Rules without grouping and threshold have no entry. An entry
 * with neither `into` nor `below` notified people.
 */
export const GroupedRule = v.object({
  /** The rule's index in the plan. */
  rule: v.number(),
  /** The group's key. */
  key: v.string(),
  /** The event that notified people for the whole group; set if this event notifies nobody for that reason. */
  into: v.optional(v.string()),
  /** The number of events so far and the threshold; set if this event notifies nobody because too few events arrived. */
  below: v.optional(v.object({ count: v.number(), of: v.number() })),
  /** How many people were not notified because of the group or the threshold. */
  recipients: v.optional(v.number()),
});
export type GroupedRule = v.InferOutput<typeof GroupedRule>;

/** Returns whether a rule notifies nobody because of its group or threshold. */
export const isHeldByGroup = ({ into, below }: GroupedRule): boolean => into !== undefined || below !== undefined;

/**
 * Everything that an event leads to. Retries follow the plan even if the configuration has changed since it was made.
 * The order of rules and recipients determines the notifications' ids.
 */
export const DeliveryPlan = v.object({
  /** When the plan was made, in milliseconds; the notifications' `createdAt`. */
  at: v.number(),
  rulesVersion: v.number(),
  peopleVersion: v.number(),
  rules: v.array(PlannedRule),
  /** The silence that covers the event; rules then have no recipients and no escalation. */
  silence: v.optional(SilencedBy),
  /** The silence that delayed the notifications until its end. */
  after: v.optional(KeptStillBy),
  /** Set if the event's alert flaps; while it is held, rules have no recipients and no escalation. */
  flapping: v.optional(FlappingPlan),
  /** Set if rules group or count events; a rule that notifies nobody for that reason has no recipients and no escalation. */
  groups: v.optional(v.array(GroupedRule)),
  /** Whether webhooks or Slack and Teams channels get the event's changes. */
  followed: v.optional(v.literal(true)),
  /** The connections to channels that get the event's changes. */
  rooms: v.optional(v.array(v.string())),
  /** The pages that an event of a shadow would lead to; absent for other events. */
  shadow: v.optional(ShadowPlan),
});
export type DeliveryPlan = v.InferOutput<typeof DeliveryPlan>;

/** The beginning of a part of a plan: the index of its first rule, and of that rule's first pack. */
export type PartStart = { rule: number; pack: number };

/** The rules of a plan that one message delivers; the first and the last may be incomplete. */
export const PlanPart = v.object({ rule: v.number(), pack: v.number(), rules: v.array(PlannedRule) });
export type PlanPart = v.InferOutput<typeof PlanPart>;

/** The head of a plan, stored with the event if the plan has several parts: the list of the parts. */
export const PlanHead = v.object({
  at: DeliveryPlan.entries.at,
  rulesVersion: DeliveryPlan.entries.rulesVersion,
  peopleVersion: DeliveryPlan.entries.peopleVersion,
  /** How many rules matched the event. */
  matched: v.number(),
  silence: DeliveryPlan.entries.silence,
  after: DeliveryPlan.entries.after,
  flapping: DeliveryPlan.entries.flapping,
  groups: DeliveryPlan.entries.groups,
  followed: DeliveryPlan.entries.followed,
  rooms: DeliveryPlan.entries.rooms,
  shadow: DeliveryPlan.entries.shadow,
  /** The name of the parts, derived from their content, so that planning again writes the same parts. */
  id: v.string(),
  parts: v.array(v.object({ rule: v.number(), pack: v.number() })),
});
export type PlanHead = v.InferOutput<typeof PlanHead>;

/** A plan as read with its event. `body` is its only part, or the id under which several parts are stored. */
export type FrozenPlan = Omit<PlanHead, "id"> & { body: PlanPart | string };

export const toFrozenPlan = (plan: DeliveryPlan | PlanHead): FrozenPlan => {
  if ("id" in plan) {
    const { id, ...head } = plan;
    return { ...head, body: id };
  }
  const { rules, ...head } = plan;
  return { ...head, matched: rules.length, parts: [{ rule: 0, pack: 0 }], body: { rule: 0, pack: 0, rules } };
};

/** Returns the index of the part in which a rule begins. */
export const findPartIndex = ({ parts }: Pick<PlanHead, "parts">, rule: number): number =>
  parts.findLastIndex((part) => part.rule < rule || (part.rule === rule && part.pack === 0));

/** Returns the first and last rule (indexes in the plan) that begin in a part; none if `to` is below `from`. */
export const findRuleRange = ({ parts, matched }: FrozenPlan, index: number): { from: number; to: number } => {
  const nextRuleAfter = (part: PartStart) => (part.pack === 0 ? part.rule : part.rule + 1);
  const [own, next] = [parts[index], parts[index + 1]];
  return {
    from: own === undefined ? 0 : nextRuleAfter(own),
    to: (next === undefined ? matched : nextRuleAfter(next)) - 1,
  };
};

/** Up to 16 recipients of one rule, stored, sent and acknowledged together. */
export type PlannedPack = {
  packId: string;
  planned: PlannedRule;
  recipients: readonly Recipient[];
  /** How many packs the rule or step has; only on its first pack. */
  packs?: number;
};

export const countPacks = (recipients: readonly unknown[]): number =>
  Math.ceil(recipients.length / PACK_RECIPIENTS_MAX);

/** Splits a plan into parts, each small enough for one message and one item. Most plans have one part. */
export const splitPlan = ({ rules }: Pick<DeliveryPlan, "rules">): PlanPart[] => {
  let part: PlanPart = { rule: 0, pack: 0, rules: [] };
  const parts = [part];
  let packs = 0;
  let bytes = 0;
  for (const [rule, planned] of rules.entries()) {
    const all = countPacks(planned.recipients);
    const size = jsonSize({ ...planned, recipients: [] });
    let pack = 0;
    do {
      if (part.rules.length > 0 && (packs >= PART_PACKS_MAX || bytes + size > PART_RULES_MAX_BYTES)) {
        part = { rule, pack, rules: [] };
        parts.push(part);
        packs = 0;
        bytes = 0;
      }
      const next = Math.min(all, pack + PART_PACKS_MAX - packs);
      const recipients = planned.recipients.slice(pack * PACK_RECIPIENTS_MAX, next * PACK_RECIPIENTS_MAX);
      part.rules.push({ ...planned, recipients, ...(next - pack < all ? { packs: all } : {}) });
      // A rule that notifies nobody counts as one pack, too, because its escalation must be started.
      packs += Math.max(1, next - pack);
      bytes += size;
      pack = next;
    } while (pack < all);
  }
  return parts;
};

/** Returns the id of a user's notification among a rule's recipients; undefined if the user is not one of them. */
export const notificationIdOf = (
  recipients: readonly Pick<Recipient, "userId">[],
  userId: string,
  /** The pack that contains the first of these recipients. */
  first: PackId,
): string | undefined => {
  const index = recipients.findIndex((recipient) => recipient.userId === userId);
  if (index < 0) return undefined;
  const pack = first.pack + Math.floor(index / PACK_RECIPIENTS_MAX);
  return formatNotificationId(formatPackId({ ...first, pack }), index % PACK_RECIPIENTS_MAX);
};

/** Builds the packs of a rule's recipients, beginning with the id `first`. `cursor` 0 is the rule itself; others are escalation steps. */
export const buildPacks = (planned: PlannedRule, recipients: readonly Recipient[], first: PackId): PlannedPack[] => {
  const count = countPacks(recipients);
  const packs = first.cursor === 0 ? (planned.packs ?? count) : count;
  return listPackIds(first, count).map((packId, index) => ({
    packId,
    planned,
    recipients: recipients.slice(index * PACK_RECIPIENTS_MAX, (index + 1) * PACK_RECIPIENTS_MAX),
    ...(first.pack + index === 0 ? { packs } : {}),
  }));
};

/** Returns the ids of consecutive packs, beginning with `first`. */
export const listPackIds = (first: PackId, packs: number): string[] =>
  Array.from({ length: packs }, (_, index) => formatPackId({ ...first, pack: first.pack + index }));

export const firstPackIds = (part: PlanPart, event: Pick<PackId, "at" | "seq" | "spread">): [PlannedRule, PackId][] =>
  part.rules.map((planned, index) => [
    planned,
    { ...event, rule: part.rule + index, cursor: 0, pack: index === 0 ? part.pack : 0 },
  ]);

export const listPacksOfPart = (part: PlanPart, event: Pick<PackId, "at" | "seq" | "spread">): PlannedPack[] =>
  firstPackIds(part, event).flatMap(([planned, first]) => buildPacks(planned, planned.recipients, first));

export const countNotifications = ({ rules }: Pick<DeliveryPlan, "rules">): number =>
  rules.reduce((sum, planned) => sum + planned.recipients.length, 0);

/**
 * The pack of one message, and the number of packs of each rule under the same marker, as `[rule, packs]`. `first` is
 * the index of the first rule's first pack.
 */
type PackAmong = {
  packId: string;
  sizes: readonly (readonly [rule: number, packs: number])[];
  first?: number | undefined;
};

/** Returns the other packs under the same marker in reverse order, because packs finish roughly in order. */
export const listSiblingPacks = ({ packId, sizes, first = 0 }: PackAmong): string[] => {
  const own = parsePackId(packId);
  if (own === undefined) throw new Error(`${packId} is not a pack id`);
  const all = sizes.flatMap(([rule, packs], index) =>
    listPackIds({ ...own, rule, pack: index === 0 ? first : 0 }, packs),
  );
  return all.filter((id) => id !== packId).toReversed();
};
