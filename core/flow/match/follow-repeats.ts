import type { Deps } from "../../deps.ts";
import { getCurrentPriority, isHigherPriority, STILL_FAILING_MS, replacePriority } from "../../domain/event/alert.ts";
import { chooseUrgencyOfAddition } from "../../domain/event/added-rule.ts";
import { toLifecycleView } from "../../domain/event/lifecycle.ts";
import type { Marker } from "../../domain/event/marker.ts";
import type { PlannedEvent } from "../../domain/event/stored-event.ts";
import { ADDED_RULE, type Addition } from "../../domain/delivery/added.ts";
import type { PlannedRule } from "../../domain/delivery/delivery-plan.ts";
import { ADDITIONS_MAX } from "../../domain/basics/limits.ts";
import { findMostUrgent, type Priority } from "../../domain/basics/priority.ts";
import { fromIso } from "../../domain/basics/time.ts";
import { listRecipients, planEvent } from "../../domain/planning/plan-event.ts";
import type { PlannedDelivery } from "../../domain/planning/planned-delivery.ts";
import type { Recipient } from "../../domain/people/recipient.ts";
import { setNeedsAck, setRepeats } from "../../store/events/progress.ts";
import { listFirings } from "../../store/events/escalations.ts";
import { toListFields, storeMoreNotified, setOpenPriority, tryAddOpenEvent } from "../../store/events/open-events.ts";
import { readPlannedRules } from "../../store/events/plans.ts";
import type { ConfigCache } from "../config-cache.ts";
import { addPeople } from "../respond/add-people.ts";
import { unlistEventIfOver } from "../respond/lifecycle.ts";
import { readWrittenViews } from "../read/read-event.ts";

type FollowDeps = Pick<Deps, "table" | "now" | "log">;

type PeopleToNotify = { recipients: Recipient[]; priority: Priority; requiresAck: boolean };

/** Returns the ids of rules that notify nobody of the event or its repeats, because their threshold was not reached. */
const findRulesBelowThreshold = (
  { plan }: PlannedEvent,
  frozen: readonly PlannedRule[],
  { plan: { rules }, gates }: PlannedDelivery,
): Set<string | undefined> => {
  const passed = (plan.groups ?? [])
    .filter(({ below }) => below === undefined)
    .map(({ rule }) => frozen[rule]?.rule.id);
  const counting = gates.filter(({ gate }) => gate.atLeast !== null).map(({ rule }) => rules[rule]?.rule.id);
  return new Set(counting).difference(new Set(passed));
};

/** Returns the recipients at this priority, if any. "raised": only by rules that newly match or use the event's priority. */
const findRecipientsForPriority = async (
  deps: FollowDeps,
  config: ConfigCache,
  event: PlannedEvent,
  planned: readonly PlannedRule[],
  priority: Priority,
  which: "all" | "raised",
): Promise<PeopleToNotify | undefined> => {
  const { workspaceId: ws } = event;
  const [rules, people] = await Promise.all([config.rulesNow(ws), config.peopleNow(ws)]);
  const versions = { rulesVersion: rules.version, peopleVersion: people.version };
  const made = planEvent(rules.value, people.value, replacePriority(event, priority), versions, deps.now());
  const known = new Set(planned.map(({ rule }) => rule.id));
  const below = findRulesBelowThreshold(event, planned, made);
  const called = made.plan.rules.filter(
    ({ rule: { id }, priorityFrom }) =>
      !below.has(id) && (which === "all" || priorityFrom === "event" || !known.has(id)),
  );
  const recipients = listRecipients({ rules: called });
  if (recipients.length === 0) return undefined;
  const highest = findMostUrgent(called.map((rule) => rule.priority)) ?? priority;
  return { recipients, priority: highest, requiresAck: called.some(({ requiresAck }) => requiresAck) };
};

const listRaisedEventAsOpen = async (deps: FollowDeps, event: PlannedEvent): Promise<void> => {
  const { workspaceId: ws, eventId } = event;
  await tryAddOpenEvent(deps, ws, event);
  await setNeedsAck(deps, ws, eventId);
  await unlistEventIfOver(deps, ws, eventId);
};

/** Notifies the recipients of a raised priority, once for each priority. */
const notifyAfterRaise = async (
  deps: FollowDeps,
  config: ConfigCache,
  event: PlannedEvent,
  earlierAdditions: readonly Addition[],
): Promise<Marker[]> => {
  const { workspaceId: ws, eventId, seq, life, repeats } = event;
  const markers: Marker[] = [];
  if (repeats?.raised[0] === undefined) return markers;
  const additions = earlierAdditions.filter(({ because }) => because === "raised");
  const rules = await readPlannedRules(deps, event);
  for (const { priority } of repeats.raised) {
    const once = `raised ${priority}`;
    // The plan of an event that was held may already be for the raised priority.
    const isPlanned = rules.some((rule) => rule.priorityFrom === "event" && !isHigherPriority(priority, rule.priority));
    if (isPlanned || additions.some((addition) => addition.once === once)) continue;
    const called = await findRecipientsForPriority(deps, config, event, rules, priority, "raised");
    if (called === undefined) continue;
    if (called.requiresAck && !life.needsAck) await listRaisedEventAsOpen(deps, event);
    const { recipients, ...asked } = called;
    const addition: Addition = { because: "raised", once, ...asked };
    additions.push(addition);
    markers.push(await addPeople(deps, event, recipients, addition));
  }
  const { urgency } = toListFields({ at: event.plan.at, rules });
  const asking = additions.filter(({ requiresAck }) => requiresAck).map((addition) => addition.priority);
  await setOpenPriority(deps, ws, seq, {
    priority: getCurrentPriority(event),
    urgency: urgency === undefined ? undefined : findMostUrgent([urgency, ...asking]),
  });
  if (markers.length > 0) {
    await storeMoreNotified(deps, ws, seq);
    deps.log.info("event.priority_raised", { workspaceId: ws, eventId });
  }
  return markers;
};

/**
 * Asks the acknowledger once a day whether they still work on the event, if it repeats a day or more after the acknowledgement.
 * The question states the number of repeats since the first check after the acknowledgement.
 */
const askAcknowledger = async (
  deps: FollowDeps,
  event: PlannedEvent,
  { id, at }: { id: string; at: number },
): Promise<Marker[]> => {
  const { repeats } = event;
  if (repeats === undefined) return [];
  const known = repeats.acknowledged?.at === at ? repeats.acknowledged : { at, count: repeats.count - 1 };
  if (known !== repeats.acknowledged)
    await setRepeats(deps, event, { ...repeats, by: `${repeats.by}+`, acknowledged: known });
  const days = Math.floor((repeats.at - at) / STILL_FAILING_MS);
  if (days < 1) return [];
  const addition: Addition = {
    because: "still_failing",
    once: `still ${at} ${days}`,
    repeats: repeats.count - known.count,
    ...chooseUrgencyOfAddition(await readPlannedRules(deps, event), event),
  };
  return [await addPeople(deps, event, [{ userId: id, reason: {} }], addition)];
};

/** Notifies the event's recipients of its repeats, unless `additionCount` has reached the limit. Returns the markers to queue. */
const renotifyRecipients = async (
  deps: FollowDeps,
  config: ConfigCache,
  event: PlannedEvent,
  additionCount: number,
): Promise<Marker[]> => {
  if (additionCount >= ADDITIONS_MAX) return [];
  const planned = await readPlannedRules(deps, event);
  const called = await findRecipientsForPriority(deps, config, event, planned, getCurrentPriority(event), "all");
  if (called === undefined) return [];
  const { recipients, ...urgency } = called;
  const once = `repeated ${event.repeats?.asked}`;
  const marker = await addPeople(deps, event, recipients, { because: "repeated", once, ...urgency });
  await storeMoreNotified(deps, event.workspaceId, event.seq);
  return [marker];
};

/**
 * If repeats raised the priority, notifies the recipients of that priority. If not, asks the acknowledger whether they still work
 * on the event, or notifies an open event's recipients again if nobody was reached. Idempotent.
 */
export const processRepeats = async (deps: FollowDeps, config: ConfigCache, event: PlannedEvent): Promise<Marker[]> => {
  const { workspaceId: ws, seq, life } = event;
  const added = (await listFirings(deps, { ws, seq })).filter(({ rule }) => rule === ADDED_RULE);
  const additions = added.flatMap(({ addition }) => addition ?? []);
  const raised = await notifyAfterRaise(deps, config, event, additions);
  if (raised.length > 0) return raised;
  const views = await readWrittenViews(deps, event);
  const { state, acknowledgedAt, acknowledgedBy } = toLifecycleView(life, views);
  const at = fromIso(acknowledgedAt ?? "");
  if (state === "acknowledged" && acknowledgedBy !== null && at !== undefined)
    return askAcknowledger(deps, event, { id: acknowledgedBy.id, at });
  const isUnreached = views.length >= event.notifications && views.every(({ status }) => status === "FAILED");
  return state === "open" && isUnreached ? renotifyRecipients(deps, config, event, added.length) : [];
};
