import type { TableDeps, TimedDeps } from "../../deps.ts";
import { isHeldByGroup, buildPacks, type PlannedPack, type PlannedRule } from "../../domain/delivery/delivery-plan.ts";
import { judgeOutcome, toEventListItem, toFlappingView, type EventView } from "../../domain/event/event-view.ts";
import { LISTS_MAX_BYTES, takeItemsThatFit } from "../../domain/basics/fitting.ts";
import { isSpread, parseNotificationId, parsePackId, type WorkspaceId } from "../../domain/basics/ids.ts";
import { toShadowView, type ShadowView } from "../../domain/delivery/shadow-plan.ts";
import { toNotificationView, type NotificationView } from "../../domain/delivery/notification-view.ts";
import type { People } from "../../domain/people/people.ts";
import { listEventLinks } from "../../domain/event/event.ts";
import { toNoteView } from "../../domain/event/actions.ts";
import { toAddedRule } from "../../domain/event/added-rule.ts";
import { toIsoOrNull } from "../../domain/basics/time.ts";
import { toLifecycleView, type Acknowledged } from "../../domain/event/lifecycle.ts";
import { isNoticeRule, explainNotice } from "../../domain/event/notice.ts";
import { loadPeople } from "../../store/people/people.ts";
import { listEscalations, listFirings } from "../../store/events/escalations.ts";
import type { PlannedEvent, StoredEvent } from "../../domain/event/stored-event.ts";
import { readCountedEvents } from "../../store/events/event-groups.ts";
import { mapLimit } from "../../domain/basics/in-turns.ts";
import { listNotes } from "../../store/events/notes.ts";
import { readPacks } from "../../store/delivery/packs.ts";
import { readPlannedRules } from "../../store/events/plans.ts";
import { toQueuedPack, type Pack } from "../../domain/delivery/pack.ts";
import { toIncumbentViews } from "../../domain/event/incumbent.ts";
import { readShownEvent } from "./shown-event.ts";

/** A fired escalation step, or an addition of people. */
type Fired = Awaited<ReturnType<typeof listFirings>>[number];

/** Reads an event's additions of people and fired escalation steps. Leaves out steps that are decided but have not fired. */
export const readFiredSteps = async (
  deps: TableDeps,
  { workspaceId: ws, seq, plan }: PlannedEvent,
): Promise<Fired[]> => {
  const firings = await listFirings(deps, { ws, seq });
  if (firings.length === 0) return [];
  const escalations = await listEscalations(deps, { ws, seq }, { from: 0, to: plan.matched });
  return firings.filter(
    ({ rule, cursor, addition }) => addition !== undefined || cursor <= (escalations.get(rule)?.fired ?? 0),
  );
};

/** Reads the rules and packs of a plan. Packs of rules come first, in the rules' order, then packs of escalation steps. */
const readRulesAndPacks = async (
  deps: TableDeps,
  event: PlannedEvent,
): Promise<{ rules: PlannedRule[]; packs: PlannedPack[] }> => {
  const { eventId, seq, plan } = event;
  const spread = isSpread(eventId);
  const rules = await readPlannedRules(deps, event);
  const packs = rules.flatMap((planned, rule) =>
    buildPacks(planned, planned.recipients, { at: plan.at, seq, spread, rule, cursor: 0, pack: 0 }),
  );
  for (const { rule, cursor, at: firedAt, recipients, addition } of await readFiredSteps(deps, event)) {
    const planned = addition === undefined ? rules[rule] : toAddedRule(addition);
    if (planned !== undefined)
      packs.push(...buildPacks(planned, recipients, { at: firedAt, seq, spread, rule, cursor, pack: 0 }));
  }
  return { rules, packs };
};

const toPackIds = (planned: readonly PlannedPack[]): string[] => planned.map(({ packId }) => packId);

/** Returns the packs of a plan, even packs that are not written yet. Returns no packs for an event of a shadow. */
export const readPlannedPacks = async (deps: TableDeps, event: PlannedEvent): Promise<PlannedPack[]> =>
  event.plan.shadow === undefined ? (await readRulesAndPacks(deps, event)).packs : [];

/** Reads the written packs of an event. Packs of rules come first, in the rules' order, then packs of escalation steps. */
export const readEventPacks = async (deps: TableDeps, event: StoredEvent): Promise<Pack[]> => {
  if (event.plan === undefined) return [];
  return readPacks(deps, event.workspaceId, toPackIds(await readPlannedPacks(deps, { ...event, plan: event.plan })));
};

/** Returns an event's notifications, without notifications that are planned but not written yet. */
export const readWrittenViews = async (deps: TableDeps, event: StoredEvent): Promise<NotificationView[]> => {
  const packs = await readEventPacks(deps, event);
  return packs.flatMap((pack) => pack.recipients.map((recipient) => toNotificationView(pack, recipient)));
};

const READ_AT_ONCE = 400;
const ASKED_AT_ONCE = 4;

/** Yields an event's notifications. Shows a pack that is not written yet as queued, so that no notification is missing. */
async function* readNotificationViews(
  deps: TableDeps,
  event: PlannedEvent,
  planned: readonly PlannedPack[],
): AsyncGenerator<NotificationView[]> {
  const { workspaceId: ws } = event;
  let people: People | undefined;
  for (let index = 0; index < planned.length; index += READ_AT_ONCE) {
    const some = planned.slice(index, index + READ_AT_ONCE);
    const each = Math.ceil(some.length / ASKED_AT_ONCE);
    const asked = Array.from({ length: ASKED_AT_ONCE }, (_, turn) => some.slice(turn * each, (turn + 1) * each));
    const read = await Promise.all(asked.map((packs) => readPacks(deps, ws, toPackIds(packs))));
    const written = new Map(read.flat().map((pack) => [pack.packId, pack]));
    if (written.size < some.length) people ??= await loadPeople(deps, ws);
    yield some.flatMap((coming) => {
      const at = parsePackId(coming.packId)?.at ?? event.receivedAt;
      const pack = written.get(coming.packId) ?? (people && toQueuedPack(event, coming, people, at));
      return pack?.recipients.map((recipient) => toNotificationView(pack, recipient)) ?? [];
    });
  }
}

type State = Pick<NotificationView, "status" | "failedReason" | "added"> & Acknowledged;

/** Returns the notifications that fit into `bytes`, and the states of all notifications. */
const readNotifications = async (
  deps: TableDeps,
  event: PlannedEvent,
  planned: readonly PlannedPack[],
  bytes: number,
) => {
  const notifications: NotificationView[] = [];
  const states: State[] = [];
  let left = bytes;
  for await (const views of readNotificationViews(deps, event, planned)) {
    for (const { status, failedReason, added, requiresAck, acknowledgedAt, acknowledgedBy, acknowledgedUntil } of views)
      states.push({ status, failedReason, added, requiresAck, acknowledgedAt, acknowledgedBy, acknowledgedUntil });
    const fitting = takeItemsThatFit(views, left);
    notifications.push(...fitting.taken);
    left = fitting.left;
  }
  return { notifications, states };
};

/** Counts the events that notified nobody because the given event had notified people in their group. */
export const countGrouped = async (deps: TableDeps, { workspaceId: ws, seq, plan }: PlannedEvent): Promise<number> => {
  const notified = (plan.groups ?? []).filter((group) => !isHeldByGroup(group));
  const counted = await mapLimit(notified, ASKED_AT_ONCE, ({ key }) => readCountedEvents(deps, ws, key, seq, ANY_TIME));
  return counted.reduce((sum, { events }) => sum + events.length, 0);
};
/** The range of all counted events of a group, up to 2,000 items of 64 events. */
const ANY_TIME = { from: 0, to: 9_999_999_999_999, limit: 2_000 };

/** Reads whom an event would have notified without the shadow. Returns null if the event did not arrive in a shadow. */
export const readShadowPages = async (
  deps: TableDeps,
  event: PlannedEvent,
  people?: Pick<People, "members">,
): Promise<ShadowView | null> => {
  const { shadow } = event.plan;
  if (shadow === undefined) return null;
  const { members } = people ?? (await loadPeople(deps, event.workspaceId));
  return toShadowView(shadow, await readPlannedRules(deps, event), members);
};

/** Reads an event for an answer, if it exists. Its lists contain the entries that fit into an answer, and count the others. */
export const readEventView = async (deps: TimedDeps, ws: WorkspaceId, id: string): Promise<EventView | undefined> => {
  const event = await readShownEvent(deps, ws, id);
  if (event === undefined) return undefined;
  const { plan } = event;
  const matched = plan === undefined ? undefined : { ...event, plan };
  const planned = matched === undefined ? undefined : await readRulesAndPacks(deps, matched);
  const notes = takeItemsThatFit((await listNotes(deps, ws, id)).map(toNoteView), LISTS_MAX_BYTES);
  const rules = (planned?.rules ?? [])
    .filter(({ rule }) => !isNoticeRule(rule))
    .map(({ rule, unreached = [] }) => ({ ...rule, unreached }));
  const matchedRules = takeItemsThatFit(rules, RULES_SHARE * notes.left).taken;
  const { notifications, states } =
    matched === undefined || planned === undefined
      ? { notifications: [], states: [] }
      : await readNotifications(deps, matched, planned.packs, (1 - RULES_SHARE) * notes.left);
  const life = toLifecycleView(event.life, states);
  const { body, detail, data, url, dedupeKey, requiresAck, resolves, sender, probe } = event.content;
  return {
    ...toEventListItem(event, life.state),
    ...life,
    workspaceId: ws,
    body,
    detail: detail ?? null,
    data: data ?? null,
    url: url ?? null,
    links: listEventLinks(event.content),
    dedupeKey: dedupeKey ?? null,
    resolves: resolves ?? null,
    requiresAck: requiresAck ?? null,
    sender: sender ?? null,
    matched: plan !== undefined,
    matchedRules,
    matchedRulesNotListed: rules.length - matchedRules.length,
    outcome: judgeOutcome(plan, states),
    silence: plan?.silence ?? null,
    afterSilence: plan?.after ?? null,
    shadow: matched === undefined ? null : await readShadowPages(deps, matched),
    incumbent: toIncumbentViews(event),
    flapping: toFlappingView(plan),
    grouped: matched === undefined ? 0 : await countGrouped(deps, matched),
    repeats: event.repeats?.count ?? 0,
    repeatedAt: toIsoOrNull(event.repeats?.at),
    belowThreshold: plan?.groups?.find(({ below }) => below !== undefined)?.below ?? null,
    notes: notes.taken,
    notice: explainNotice(event.content, planned?.rules.map(({ rule }) => rule.id) ?? []),
    probe: probe === undefined ? null : { ruleId: "ruleId" in probe ? probe.ruleId : null },
    notifications,
    notificationsNotListed: states.length - notifications.length,
  };
};
/** The share of an answer's bytes that rules may use; notes are not counted, and notifications use the remaining bytes. */
const RULES_SHARE = 0.3;

/** Returns as many notifications after `after` as fit; undefined for an unknown event, "unknown" for an unknown `after`. */
export const listNotificationsAfter = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  eventId: string,
  after: string | undefined,
): Promise<{ notifications: NotificationView[]; more: boolean } | "unknown" | undefined> => {
  const event = await readShownEvent(deps, ws, eventId);
  if (event === undefined) return undefined;
  const { plan } = event;
  const matched = plan === undefined ? undefined : { ...event, plan };
  const packs = matched === undefined ? [] : (await readRulesAndPacks(deps, matched)).packs;
  const shown = after === undefined ? undefined : parseNotificationId(after);
  const from = after === undefined ? 0 : packs.findIndex(({ packId }) => packId === shown?.packId);
  if (from < 0) return "unknown";
  const notifications: NotificationView[] = [];
  let left = LISTS_MAX_BYTES;
  if (matched !== undefined)
    for await (const views of readNotificationViews(deps, matched, packs.slice(from))) {
      // Only the first pack can contain notifications of the previous page.
      const fresh = views.slice(views.findIndex(({ id }) => id === after) + 1);
      const fitting = takeItemsThatFit(fresh, left);
      notifications.push(...fitting.taken);
      left = fitting.left;
      if (fitting.taken.length < fresh.length) return { notifications, more: true };
    }
  return { notifications, more: false };
};
