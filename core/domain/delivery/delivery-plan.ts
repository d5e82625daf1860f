import * as v from "valibot";
import { formatNotificationId, formatPackId, parsePackId, type PackId } from "../basics/ids.ts";
import { Added, type Addition } from "./added.ts";
import { Recipient } from "../people/recipient.ts";
import { Priority } from "../basics/priority.ts";
import { UnreachedGroup } from "../people/recipient.ts";
import { FrozenPolicy } from "../escalation/escalation-policy.ts";
import { bytesAsJson } from "../basics/text.ts";

/** Recipients that share one stored item. */
export const PACK_RECIPIENTS_MAX = 16;
/** Packs that one message delivers. A plan with more packs is stored and delivered in parts. */
export const PART_PACKS_MAX = 64;
/** The rules of one part as JSON, without their recipients: an item of the table holds 400 KB. */
const PART_RULES_MAX_BYTES = 100_000;

/** The rule that notifies somebody, as it was when it matched. */
export const RuleRef = v.object({ id: v.string(), version: v.number(), name: v.string() });
export type RuleRef = v.InferOutput<typeof RuleRef>;

/** The recipients of one rule (or one escalation step of it), and how they are notified. */
export const PlannedRule = v.object({
  rule: RuleRef,
  requiresAck: v.boolean(),
  priority: Priority,
  priorityFrom: v.picklist(["event", "rule"]),
  recipients: v.array(Recipient),
  /** Target groups in which nobody could be notified; absent if every group had somebody. */
  unreached: v.optional(v.array(UnreachedGroup)),
  /** The policy of the escalation that this rule's notifications arm, as it was at that time. */
  escalation: v.optional(FrozenPolicy),
  /** How many packs the rule has in all, if `recipients` holds only those of one part of the plan. */
  packs: v.optional(v.number()),
  /** Why people are notified without a rule, if this takes the place of one. */
  added: v.optional(Added),
});
export type PlannedRule = v.InferOutput<typeof PlannedRule>;

/** The people whom an escalation step, or an addition, notifies, and when that was decided (milliseconds). */
export type Firing = { at: number; recipients: readonly Recipient[]; addition?: Addition | undefined };

/** The silence that covered an event, and how many people were not notified because of it. */
export const SilencedBy = v.object({ id: v.string(), name: v.string(), recipients: v.number() });
export type SilencedBy = v.InferOutput<typeof SilencedBy>;

/** The silence that suppressed an event until people were notified of it. */
export const KeptStillBy = v.object({ id: v.string(), name: v.string() });
export type KeptStillBy = v.InferOutput<typeof KeptStillBy>;

/**
 * Until when an event is, or was, held because its alert flaps (milliseconds), and how many people each rule does
 * not notify because of that; absent once people are notified.
 */
export const FlappingPlan = v.object({ until: v.number(), held: v.optional(v.array(v.number())) });
export type FlappingPlan = v.InferOutput<typeof FlappingPlan>;

/** How many people are not notified because an alert flaps. */
export const heldByFlapping = ({ flapping }: { flapping?: FlappingPlan | undefined }): number =>
  (flapping?.held ?? []).reduce((sum, count) => sum + count, 0);

/** Whether an event pages nobody because its alert flaps. */
export const isFlapping = ({ flapping }: { flapping?: FlappingPlan | undefined }): boolean =>
  flapping?.held !== undefined;

/** Whether people are notified of an event after a silence or a hold has ended. */
export const isNotifiedAfterwards = ({
  after,
  flapping,
}: {
  after?: object | undefined;
  flapping?: FlappingPlan | undefined;
}): boolean => after !== undefined || (flapping !== undefined && flapping.held === undefined);

/**
 * The effect of one rule's groups and threshold on an event. A rule without them has no entry; an entry with neither
 * `into` nor `below` paged.
 */
export const GroupedRule = v.object({
  /** The rule's index in the plan. */
  rule: v.number(),
  /** The group's key. */
  key: v.string(),
  /** The event that paged for the group, if this one pages nobody because of that. */
  into: v.optional(v.string()),
  /** How many events there had been of how many, if this one pages nobody because they were too few. */
  below: v.optional(v.object({ count: v.number(), of: v.number() })),
  /** How many people were not notified because of that. */
  recipients: v.optional(v.number()),
});
export type GroupedRule = v.InferOutput<typeof GroupedRule>;

/** Whether a rule notifies nobody because of its group or its threshold. */
export const isHeldDown = ({ into, below }: GroupedRule): boolean => into !== undefined || below !== undefined;

/**
 * Everything that an event leads to, decided once: a retry follows the plan, whatever has changed meanwhile. The ids of
 * the notifications come from the order of the rules and of their recipients.
 */
export const DeliveryPlan = v.object({
  /** When the plan was made, in milliseconds; `createdAt` of its notifications. */
  at: v.number(),
  rulesVersion: v.number(),
  peopleVersion: v.number(),
  rules: v.array(PlannedRule),
  /** Absent if no silence covered the event; otherwise no rule has recipients or an escalation. */
  silence: v.optional(SilencedBy),
  /** The silence that had ended when the plan was made, if that is why people are notified only then. */
  after: v.optional(KeptStillBy),
  /** Absent if its alert does not flap; while that holds it back, no rule has recipients or an escalation. */
  flapping: v.optional(FlappingPlan),
  /** Absent if no rule groups or counts; otherwise those rules that notify nobody have no recipients or escalation. */
  groups: v.optional(v.array(GroupedRule)),
  /** Whether webhooks or Slack and Teams channels get the event's changes. */
  followed: v.optional(v.literal(true)),
  /** The connections to channels that get them. */
  rooms: v.optional(v.array(v.string())),
});
export type DeliveryPlan = v.InferOutput<typeof DeliveryPlan>;

/** Where a part of a plan begins: at which rule of the plan, and at which pack of that rule. */
export type PartStart = { rule: number; pack: number };

/** The rules of a plan that one message delivers; the first and the last may be incomplete. */
export const PlanPart = v.object({ rule: v.number(), pack: v.number(), rules: v.array(PlannedRule) });
export type PlanPart = v.InferOutput<typeof PlanPart>;

/** What is stored with the event when its plan has several parts: a list of the parts. */
export const PlanHead = v.object({
  at: DeliveryPlan.entries.at,
  rulesVersion: DeliveryPlan.entries.rulesVersion,
  peopleVersion: DeliveryPlan.entries.peopleVersion,
  /** How many rules matched. */
  matched: v.number(),
  silence: DeliveryPlan.entries.silence,
  after: DeliveryPlan.entries.after,
  flapping: DeliveryPlan.entries.flapping,
  groups: DeliveryPlan.entries.groups,
  followed: DeliveryPlan.entries.followed,
  rooms: DeliveryPlan.entries.rooms,
  /** The parts' name, derived from their content: planning the same again writes the same parts. */
  id: v.string(),
  parts: v.array(v.object({ rule: v.number(), pack: v.number() })),
});
export type PlanHead = v.InferOutput<typeof PlanHead>;

/** A plan as read with its event: `body` is its only part, or the id under which its parts are stored. */
export type FrozenPlan = Omit<PlanHead, "id"> & { body: PlanPart | string };

export const toFrozenPlan = (plan: DeliveryPlan | PlanHead): FrozenPlan => {
  if ("id" in plan) {
    const { id, ...head } = plan;
    return { ...head, body: id };
  }
  const { rules, ...head } = plan;
  return { ...head, matched: rules.length, parts: [{ rule: 0, pack: 0 }], body: { rule: 0, pack: 0, rules } };
};

/** Which part holds the beginning of a rule. */
export const partOfRule = ({ parts }: Pick<PlanHead, "parts">, rule: number): number =>
  parts.findLastIndex((part) => part.rule < rule || (part.rule === rule && part.pack === 0));

/** The rules that begin in a part, as indexes in the plan, both ends included; none where `to` is below `from`. */
export const rulesOfPart = ({ parts, matched }: FrozenPlan, index: number): { from: number; to: number } => {
  const begin = (part: PartStart) => (part.pack === 0 ? part.rule : part.rule + 1);
  const [own, next] = [parts[index], parts[index + 1]];
  return { from: own === undefined ? 0 : begin(own), to: (next === undefined ? matched : begin(next)) - 1 };
};

/** Up to 16 recipients of one rule, stored, sent and acknowledged together. */
export type PlannedPack = {
  packId: string;
  planned: PlannedRule;
  recipients: readonly Recipient[];
  /** On the first pack of a rule or a step: how many packs it has. */
  packs?: number;
};

export const packCount = (recipients: readonly unknown[]): number => Math.ceil(recipients.length / PACK_RECIPIENTS_MAX);

/** A plan split into parts, each small enough for one message and one item. Most plans are one part. */
export const partsOf = ({ rules }: Pick<DeliveryPlan, "rules">): PlanPart[] => {
  let part: PlanPart = { rule: 0, pack: 0, rules: [] };
  const parts = [part];
  let packs = 0;
  let bytes = 0;
  for (const [rule, planned] of rules.entries()) {
    const all = packCount(planned.recipients);
    const size = bytesAsJson({ ...planned, recipients: [] });
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
      // A rule that notifies nobody is work, too: its escalation is armed.
      packs += Math.max(1, next - pack);
      bytes += size;
      pack = next;
    } while (pack < all);
  }
  return parts;
};

/** The id of a user's notification among some recipients of a rule; undefined if the user is not one of them. */
export const notificationIdOf = (
  recipients: readonly Pick<Recipient, "userId">[],
  userId: string,
  /** `pack` is the pack of the first of these recipients. */
  first: PackId,
): string | undefined => {
  const index = recipients.findIndex((recipient) => recipient.userId === userId);
  if (index < 0) return undefined;
  const pack = first.pack + Math.floor(index / PACK_RECIPIENTS_MAX);
  return formatNotificationId(formatPackId({ ...first, pack }), index % PACK_RECIPIENTS_MAX);
};

/** The packs of some recipients of a rule, from the `first` on. `cursor` 0 is the rule, others are its escalation steps. */
export const packsOf = (planned: PlannedRule, recipients: readonly Recipient[], first: PackId): PlannedPack[] => {
  const count = packCount(recipients);
  const packs = first.cursor === 0 ? (planned.packs ?? count) : count;
  return packIdsOf(first, count).map((packId, index) => ({
    packId,
    planned,
    recipients: recipients.slice(index * PACK_RECIPIENTS_MAX, (index + 1) * PACK_RECIPIENTS_MAX),
    ...(first.pack + index === 0 ? { packs } : {}),
  }));
};

/** The ids of the given number of packs, beginning with the `first`. */
export const packIdsOf = (first: PackId, packs: number): string[] =>
  Array.from({ length: packs }, (_, index) => formatPackId({ ...first, pack: first.pack + index }));

/** Where the recipients of each rule of a part begin. */
export const startsIn = (part: PlanPart, event: Pick<PackId, "at" | "seq" | "spread">): [PlannedRule, PackId][] =>
  part.rules.map((planned, index) => [
    planned,
    { ...event, rule: part.rule + index, cursor: 0, pack: index === 0 ? part.pack : 0 },
  ]);

export const packsOfPart = (part: PlanPart, event: Pick<PackId, "at" | "seq" | "spread">): PlannedPack[] =>
  startsIn(part, event).flatMap(([planned, first]) => packsOf(planned, planned.recipients, first));

export const notificationCount = ({ rules }: Pick<DeliveryPlan, "rules">): number =>
  rules.reduce((sum, planned) => sum + planned.recipients.length, 0);

/**
 * What one pack's message says about all packs under its marker: how many each rule has, as `[rule, packs]`. The packs
 * of the first rule count from `first`.
 */
type PackAmong = {
  packId: string;
  sizes: readonly (readonly [rule: number, packs: number])[];
  first?: number | undefined;
};

/** The other packs under the same marker, the last one first, because packs finish roughly in their order. */
export const siblingsOf = ({ packId, sizes, first = 0 }: PackAmong): string[] => {
  const own = parsePackId(packId);
  if (own === undefined) throw new Error(`${packId} is not a pack id`);
  const all = sizes.flatMap(([rule, packs], index) =>
    packIdsOf({ ...own, rule, pack: index === 0 ? first : 0 }, packs),
  );
  return all.filter((id) => id !== packId).toReversed();
};
