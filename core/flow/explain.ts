import type { Deps } from "../deps.ts";
import type { RuleRef } from "../domain/delivery-plan.ts";
import { explainRuleFor, type ExplainedNotification, type Explanation } from "../domain/explanation.ts";
import { parseNotificationId } from "../domain/ids.ts";
import { explainRule } from "../domain/matching/index.ts";
import { toNotificationView } from "../domain/notification-view.ts";
import type { RoutingRule } from "../domain/routing-rule.ts";
import { loadPeople, loadRules } from "../store/config.ts";
import { readEvent, type StoredEvent } from "../store/events.ts";
import { readPack, type Pack, type PackRecipient } from "../store/packs.ts";
import { readRuleVersion } from "../store/rules.ts";
import { readPacksOf } from "./read-event.ts";

const whyOf = (
  pack: Pack,
  recipient: PackRecipient,
  rule: RoutingRule | undefined,
  event: StoredEvent | undefined,
) => ({
  trace: rule === undefined || event === undefined ? null : explainRule(rule, event.content),
  groupId: recipient.reason.groupId ?? null,
  onCallLayer: recipient.reason.layer ?? null,
  overrideId: recipient.reason.overrideId ?? null,
  priorityFrom: pack.priorityFrom,
  devices:
    recipient.attempts === undefined
      ? null
      : Object.entries(recipient.attempts).map(([deviceId, { outcome, tries }]) => ({ deviceId, outcome, tries })),
});

/** A notification and why it was sent; undefined where the workspace has no such notification. */
export const explainNotification = async (
  deps: Pick<Deps, "table">,
  ws: string,
  notificationId: string,
): Promise<ExplainedNotification | undefined> => {
  const id = parseNotificationId(notificationId);
  const pack = id === undefined ? undefined : await readPack(deps, ws, id.packId);
  const recipient = id === undefined ? undefined : pack?.recipients[id.position];
  if (pack === undefined || recipient === undefined) return undefined;
  const [rule, event] = await Promise.all([
    readRuleVersion(deps, ws, pack.rule.id, pack.rule.version),
    readEvent(deps, ws, pack.eventId),
  ]);
  return { ...toNotificationView(pack, recipient), why: whyOf(pack, recipient, rule, event) };
};

/** The rules to explain: those that matched at their version then, the others as they are now. */
const rulesOf = async (deps: Pick<Deps, "table">, ws: string, matched: readonly RuleRef[]): Promise<RoutingRule[]> => {
  const current = await loadRules(deps, ws);
  const then = await Promise.all(matched.map(({ id, version }) => readRuleVersion(deps, ws, id, version)));
  const ids = new Set(matched.map(({ id }) => id));
  return [...then.filter((rule) => rule !== undefined), ...current.filter(({ id }) => !ids.has(id))];
};

/**
 * Why a user was told of an event, or was not; undefined where the workspace has no such event. Groups and schedules
 * are looked at as they are now, for their history is not kept.
 */
export const explainEvent = async (
  deps: Pick<Deps, "table" | "now">,
  ws: string,
  eventId: string,
  userId: string,
): Promise<Explanation | undefined> => {
  const event = await readEvent(deps, ws, eventId);
  if (event === undefined) return undefined;
  const matched = event.plan?.rules.map(({ rule }) => rule) ?? [];
  const [packs, rules, people] = await Promise.all([
    readPacksOf(deps, ws, event),
    rulesOf(deps, ws, matched),
    loadPeople(deps, ws),
  ]);
  const mine = packs.flatMap((pack) =>
    pack.recipients
      .filter((recipient) => recipient.userId === userId)
      .map((recipient) => toNotificationView(pack, recipient)),
  );
  const matchedIds = new Set(matched.map(({ id }) => id));
  const toldBy = new Set(mine.map(({ rule }) => rule.id));
  const at = event.plan?.at ?? deps.now();
  return {
    eventId,
    userId,
    matched: event.plan !== undefined,
    member: people.members.has(userId),
    told: mine.length > 0,
    notifications: mine,
    rules: rules.map((rule) => {
      const then = { matched: matchedIds.has(rule.id), told: toldBy.has(rule.id), at };
      return explainRuleFor(rule, event.content, then, people, userId);
    }),
  };
};
