import * as v from "valibot";
import { formatNotificationId, formatPackId, parsePackId, type PackId } from "../basics/ids.ts";
import { Added, type Addition } from "./added.ts";
import { Recipient } from "../people/recipient.ts";
import { Priority } from "../basics/priority.ts";
import { UnreachedGroup } from "../people/recipient.ts";
import { FrozenPolicy } from "../escalation/escalation-policy.ts";
import { countJsonSize } from "../basics/text.ts";
import { ShadowPlan } from "./shadow-plan.ts";

export const PACK_RECIPIENTS_MAX = 16;
/** The maximum number of packs in one part of a plan. Plans with more packs are stored and delivered in several parts. */
export const PART_PACKS_MAX = 64;
/** The limit for the rules' JSON without recipients, because a DynamoDB item holds 400 KB. */
const PART_RULES_MAX_BYTES = 100_000;

/** A rule that matched, in the version that matched. */
export const RuleRef = v.object({ id: v.string(), version: v.number(), name: v.string() });
export type RuleRef = v.InferOutput<typeof RuleRef>;

export const PlannedRule = v.object({
  rule: RuleRef,
  requiresAck: v.boolean(),
  priority: Priority,
  priorityFrom: v.picklist(["event", "rule"]),
  recipients: v.array(Recipient),
  /** Target groups in which nobody can be notified; absent if there are none. */
  unreached: v.optional(v.array(UnreachedGroup)),
  /** The policy as it was when the plan was made. */
  escalation: v.optional(FrozenPolicy),
  /** The number of the rule's packs, which is set if `recipients` contains only some of the rule's recipients. */
  packs: v.optional(v.number()),
  /** Why people were added to the event, if the entry is an addition instead of a rule. */
  added: v.optional(Added),
});
export type PlannedRule = v.InferOutput<typeof PlannedRule>;

/** A rule, step or addition that notifies people. `at`: when the recipients were decided (milliseconds). */
export type Firing = { at: number; recipients: readonly Recipient[]; addition?: Addition | undefined };

/** The silence that covered the event, and the number of people who were therefore not notified. */
export const SilencedBy = v.object({ id: v.string(), name: v.string(), recipients: v.number() });
export type SilencedBy = v.InferOutput<typeof SilencedBy>;

/** The silence that delayed the notifications until the silence ended. */
export const KeptStillBy = v.object({ id: v.string(), name: v.string() });
export type KeptStillBy = v.InferOutput<typeof KeptStillBy>;

/** An event whose alert flaps notifies nobody until `until` (ms). `held`: how many people each rule would have notified. */
export const FlappingPlan = v.object({ until: v.number(), held: v.optional(v.array(v.number())) });
export type FlappingPlan = v.InferOutput<typeof FlappingPlan>;

/** Returns how many people the rules did not notify because the alert flaps, summed over the rules. */
export const countHeldByFlapping = ({ flapping }: { flapping?: FlappingPlan | undefined }): number =>
  (flapping?.held ?? []).reduce((sum, count) => sum + count, 0);

/** Returns whether the event is held because its alert flaps. */
export const isFlapping = ({ flapping }: { flapping?: FlappingPlan | undefined }): boolean =>
  flapping?.held !== undefined;

type HoldState = { after?: object | undefined; flapping?: FlappingPlan | undefined };
/** Returns whether people were notified at the end of a silence or of a hold for flapping. */
export const isNotifiedAfterHold = ({ after, flapping }: HoldState): boolean =>
  after !== undefined || (flapping !== undefined && flapping.held === undefined);

/** What a rule's group or threshold decided. The rule notified people of the event if `into` and `below` are absent. */
export const GroupedRule = v.object({
  rule: v.number(),
  key: v.string(),
  /** The other event that notified people for the group, so that the event itself notifies nobody. */
  into: v.optional(v.string()),
  /** How many events had arrived (`count`), if the event notifies nobody because of the threshold (`of`). */
  below: v.optional(v.object({ count: v.number(), of: v.number() })),
  /** How many people were not notified because of `into` or `below`. */
  recipients: v.optional(v.number()),
});
export type GroupedRule = v.InferOutput<typeof GroupedRule>;

/** Returns whether the rule notifies nobody of this event, because of its group or its threshold. */
export const isHeldByGroup = ({ into, below }: GroupedRule): boolean => into !== undefined || below !== undefined;

/** Whom an event notifies, even if the configuration changes. The order of rules and recipients determines notification ids. */
export const DeliveryPlan = v.object({
  /** When the plan was made, in milliseconds. The plan's notifications have the same `createdAt`. */
  at: v.number(),
  rulesVersion: v.number(),
  peopleVersion: v.number(),
  rules: v.array(PlannedRule),
  /** If a silence covers the event, the rules have no recipients and no escalation. */
  silence: v.optional(SilencedBy),
  after: v.optional(KeptStillBy),
  /** Rules have no recipients and no escalation while `flapping.held` is set. */
  flapping: v.optional(FlappingPlan),
  /** A rule whose group or threshold notifies nobody has no recipients and no escalation. */
  groups: v.optional(v.array(GroupedRule)),
  /** Whether webhooks or Slack and Teams channels get the event's changes. */
  followed: v.optional(v.literal(true)),
  rooms: v.optional(v.array(v.string())),
  shadow: v.optional(ShadowPlan),
});
export type DeliveryPlan = v.InferOutput<typeof DeliveryPlan>;

/** The first rule of a plan's part, and that rule's first pack in the part. */
export type PartStart = { rule: number; pack: number };

/** Successive rules of a plan, from pack `pack` of rule `rule`. The first and last rule may also have packs in other parts. */
export const PlanPart = v.object({ rule: v.number(), pack: v.number(), rules: v.array(PlannedRule) });
export type PlanPart = v.InferOutput<typeof PlanPart>;

/** The plan without its rules, which is stored with the event if the plan has several parts. */
export const PlanHead = v.object({
  at: DeliveryPlan.entries.at,
  rulesVersion: DeliveryPlan.entries.rulesVersion,
  peopleVersion: DeliveryPlan.entries.peopleVersion,
  matched: v.number(),
  silence: DeliveryPlan.entries.silence,
  after: DeliveryPlan.entries.after,
  flapping: DeliveryPlan.entries.flapping,
  groups: DeliveryPlan.entries.groups,
  followed: DeliveryPlan.entries.followed,
  rooms: DeliveryPlan.entries.rooms,
  shadow: DeliveryPlan.entries.shadow,
  /** The id is derived from the parts, so that a repeated plan writes the same parts. */
  id: v.string(),
  parts: v.array(v.object({ rule: v.number(), pack: v.number() })),
});
export type PlanHead = v.InferOutput<typeof PlanHead>;

/** A plan as stored with its event. `body`: the only part, or the id under which several parts are stored. */
export type FrozenPlan = Omit<PlanHead, "id"> & { body: PlanPart | string };

/** Returns the plan as stored: with its rules as the only part, or with the id of the stored parts. */
export const toFrozenPlan = (plan: DeliveryPlan | PlanHead): FrozenPlan => {
  if ("id" in plan) {
    const { id, ...head } = plan;
    return { ...head, body: id };
  }
  const { rules, ...head } = plan;
  return { ...head, matched: rules.length, parts: [{ rule: 0, pack: 0 }], body: { rule: 0, pack: 0, rules } };
};

/** Returns the index of the part of the plan that contains the rule's first pack. */
export const findPartIndex = ({ parts }: Pick<PlanHead, "parts">, ruleIndex: number): number =>
  parts.findLastIndex((part) => part.rule < ruleIndex || (part.rule === ruleIndex && part.pack === 0));

/** Returns the first and last index of the rules whose first pack is in the plan's part; `to` < `from` if the part has none. */
export const findRuleRange = ({ parts, matched }: FrozenPlan, partIndex: number): { from: number; to: number } => {
  const findFirstRuleBeginningIn = (part: PartStart) => (part.pack === 0 ? part.rule : part.rule + 1);
  const [own, next] = [parts[partIndex], parts[partIndex + 1]];
  return {
    from: own === undefined ? 0 : findFirstRuleBeginningIn(own),
    to: (next === undefined ? matched : findFirstRuleBeginningIn(next)) - 1,
  };
};

/** A pack is stored, sent and acknowledged as one item. */
export type PlannedPack = {
  packId: string;
  planned: PlannedRule;
  recipients: readonly Recipient[];
  /** The number of the rule's or step's packs. Only the first pack has this field. */
  packs?: number;
};

export const countPacks = (recipients: readonly unknown[]): number =>
  Math.ceil(recipients.length / PACK_RECIPIENTS_MAX);

/** Splits the plan so that each part fits into one message and one item. */
export const splitPlan = ({ rules }: Pick<DeliveryPlan, "rules">): PlanPart[] => {
  let part: PlanPart = { rule: 0, pack: 0, rules: [] };
  const parts = [part];
  let packs = 0;
  let bytes = 0;
  for (const [rule, planned] of rules.entries()) {
    const all = countPacks(planned.recipients);
    const size = countJsonSize({ ...planned, recipients: [] });
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
      // A rule that notifies nobody also counts as one pack, because its escalation must be started.
      packs += Math.max(1, next - pack);
      bytes += size;
      pack = next;
    } while (pack < all);
  }
  return parts;
};

/** Returns the id of the user's notification in the packs from `firstPack`; undefined if the user is not a recipient. */
export const findNotificationId = (
  recipients: readonly Pick<Recipient, "userId">[],
  userId: string,
  firstPack: PackId,
): string | undefined => {
  const index = recipients.findIndex((recipient) => recipient.userId === userId);
  if (index < 0) return undefined;
  const pack = firstPack.pack + Math.floor(index / PACK_RECIPIENTS_MAX);
  return formatNotificationId(formatPackId({ ...firstPack, pack }), index % PACK_RECIPIENTS_MAX);
};

/** Divides the recipients into packs. `firstPack.cursor`: 0 if the rule itself notifies, else the escalation step's number. */
export const buildPacks = (
  planned: PlannedRule,
  recipients: readonly Recipient[],
  firstPack: PackId,
): PlannedPack[] => {
  const count = countPacks(recipients);
  const packs = firstPack.cursor === 0 ? (planned.packs ?? count) : count;
  return listPackIds(firstPack, count).map((packId, index) => ({
    packId,
    planned,
    recipients: recipients.slice(index * PACK_RECIPIENTS_MAX, (index + 1) * PACK_RECIPIENTS_MAX),
    ...(firstPack.pack + index === 0 ? { packs } : {}),
  }));
};

/** Lists the ids of `count` consecutive packs, beginning with `firstPack`. */
export const listPackIds = (firstPack: PackId, count: number): string[] =>
  Array.from({ length: count }, (_, index) => formatPackId({ ...firstPack, pack: firstPack.pack + index }));

/** Returns each rule of the part with the id of its first pack in the part. */
export const listFirstPackIdsOfPart = (
  part: PlanPart,
  event: Pick<PackId, "at" | "seq" | "spread">,
): [PlannedRule, PackId][] =>
  part.rules.map((planned, index) => [
    planned,
    { ...event, rule: part.rule + index, cursor: 0, pack: index === 0 ? part.pack : 0 },
  ]);

export const listPacksOfPart = (part: PlanPart, event: Pick<PackId, "at" | "seq" | "spread">): PlannedPack[] =>
  listFirstPackIdsOfPart(part, event).flatMap(([planned, first]) => buildPacks(planned, planned.recipients, first));

export const countNotifications = ({ rules }: Pick<DeliveryPlan, "rules">): number =>
  rules.reduce((sum, planned) => sum + planned.recipients.length, 0);

/** A pack, and how many packs each rule has in the pack's marker (`sizes`). `first`: the index of the first rule's first pack. */
type PackAmong = {
  packId: string;
  sizes: readonly (readonly [rule: number, packs: number])[];
  first?: number | undefined;
};

/** Lists the ids of the marker's other packs in reverse order, because the last pack probably finishes last. */
export const listSiblingPacks = ({ packId, sizes, first = 0 }: PackAmong): string[] => {
  const own = parsePackId(packId);
  if (own === undefined) throw new Error(`${packId} is not a pack id`);
  const all = sizes.flatMap(([rule, packs], index) =>
    listPackIds({ ...own, rule, pack: index === 0 ? first : 0 }, packs),
  );
  return all.filter((id) => id !== packId).toReversed();
};
