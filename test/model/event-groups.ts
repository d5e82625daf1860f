import { listEventsBetween } from "../../core/store/events/events.ts";
import type { Ws } from "./history.ts";
import type { Action, EventView, WorkspaceModel, Play } from "./play.ts";
import type { Prediction, Rule } from "./specification.ts";

const MINUTE_MS = 60_000;
const PRIORITIES = ["LOW", "NORMAL", "HIGH", "URGENT"];
const rankOfPriority = (priority: string): number => PRIORITIES.indexOf(priority);

type Placement = { into?: string | undefined; below?: { count: number; of: number } | undefined };
type RulePlacement = Placement & { ruleId: string; version: number };

/** `at`: when the event was planned, and `storedAt`: when the plan was stored. */
type Member = { id: string; receivedAt: number; at: number; storedAt: number; priority: string; fate: Placement };
/** The events of a rule's group, in the order of their plans. */
type GroupMembers = { rule: Rule; members: Member[] };

export type EventGroups = {
  placementsOf: (eventId: string) => readonly RulePlacement[];
  groups: readonly GroupMembers[];
  /** The time until which an event is held because its alert flaps, in ms since 1970; 0 if the alert does not flap. */
  heldUntil: (eventId: string) => number;
  /** The priorities to which repeats have raised the event, in order. */
  raisesOf: (eventId: string) => readonly string[];
};

const isHeldBack = ({ into, below }: Placement): boolean => into !== undefined || below !== undefined;

/** Reads the groups of events and the counts below thresholds. `views`: all events as the API shows them. */
export const readEventGroups = async (play: Play, ws: Ws, views: readonly EventView[]): Promise<EventGroups> => {
  const model = play.model[ws];
  const rules = model.rules.flatMap(({ value }) => value);
  const fates = new Map<string, RulePlacement[]>();
  const groups = new Map<string, GroupMembers>();
  const held = new Map<string, number>();
  const raised = new Map<string, string[]>();
  for (const { eventId, receivedAt, content, plan, flapping, repeats } of await listEventsBetween(
    play.world.faultlessDeps,
    ws,
    {
      from: 0,
      to: 1_000_000,
    },
  )) {
    const view = views.find(({ id }) => id === eventId);
    if (flapping !== undefined) held.set(eventId, flapping.until);
    raised.set(eventId, repeats?.raised.map(({ priority }) => priority) ?? []);
    const again = play.seen.plannedAgainAt(ws, eventId);
    const raise = again === undefined ? undefined : repeats?.raised.findLast(({ at }) => at <= again);
    const own = raise?.priority ?? content.priority;
    for (const { rule: index, into, below } of plan?.groups ?? []) {
      const { id: ruleId = "", version = 0 } = view?.matchedRules[index] ?? {};
      fates.set(eventId, [...(fates.get(eventId) ?? []), { ruleId, version, into, below }]);
      const rule = rules.find((one) => one.id === ruleId && one.version === version);
      if (rule?.storm === null || rule === undefined) continue;
      const values = (rule.storm.groupBy ?? []).map(() => content.data?.["amount"] ?? null);
      // Events that resolve others form their own groups.
      const resolves = rule.storm.atLeast === null && content.resolves !== undefined;
      const name = JSON.stringify([ruleId, version, values, resolves]);
      const group = groups.get(name) ?? { rule, members: [] };
      groups.set(name, group);
      group.members.push({
        id: eventId,
        receivedAt,
        at: plan?.at ?? 0,
        storedAt: again ?? play.seen.plannedAt(ws, eventId) ?? 0,
        priority: rule.override === null ? own : rule.override === "CRITICAL" ? "URGENT" : rule.override,
        fate: { into, below },
      });
    }
  }
  for (const { members } of groups.values())
    members.sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
  return {
    placementsOf: (eventId) => fates.get(eventId) ?? [],
    groups: [...groups.values()],
    heldUntil: (eventId) => held.get(eventId) ?? 0,
    raisesOf: (eventId) => raised.get(eventId) ?? [],
  };
};

/**
 * Adds grouping and thresholds to a prediction; undefined if the event was counted for other rules than the predicted ones. A
 * rule that notifies nobody has no group, and a silenced event joins none.
 */
export const applyPlacements = (prediction: Prediction, placed: readonly RulePlacement[]): Prediction | undefined => {
  const gated = prediction.orders
    .filter(({ rule, recipients, policy }) => rule.storm !== null && (recipients.length > 0 || policy !== undefined))
    .map(({ rule }) => `${rule.id} ${rule.version}`);
  if (
    gated.toSorted().join() !==
    placed
      .map(({ ruleId, version }) => `${ruleId} ${version}`)
      .toSorted()
      .join()
  )
    return undefined;
  if (placed.length === 0) return prediction;
  const quiet = new Set(placed.filter(isHeldBack).map(({ ruleId }) => ruleId));
  const orders = prediction.orders.map((order) =>
    quiet.has(order.rule.id) ? { ...order, recipients: [], policy: undefined } : order,
  );
  return {
    ...prediction,
    orders,
    needsAck: orders.some(({ rule, requiresAck }) => requiresAck && !quiet.has(rule.id)),
  };
};

/** When an event was resolved, which ends its group: not before `maybe`, and not after `sure`. */
type Ended = (eventId: string) => { maybe: number; sure: number };

type Opened = { first: string; at: number };

/**
 * Returns the fault of a group whose events were planned one after the other. An event of a higher priority that comes while
 * the group's first event ends may raise this group or open another. Either of them may then be open.
 */
const findOrderedFault = ({ rule: { storm }, members }: GroupMembers, ended: Ended): string | undefined => {
  const { groupMinutes, atLeast } = storm!;
  const lasts = (groupMinutes ?? atLeast?.withinMinutes ?? 0) * MINUTE_MS;
  let possible: readonly Opened[] = [];
  let top = "";
  /** The event that paged last: if it is resolved, the group ends. */
  let topId = "";
  const came: number[] = [];
  for (const { id, receivedAt, at, priority, fate } of members) {
    const open = possible.filter((one) => at < one.at + lasts && at <= ended(one.first).sure);
    const mustBeOpen =
      possible.length > 0 &&
      open.length === possible.length &&
      open.every(({ first }) => at < ended(first).maybe) &&
      at < ended(topId).maybe;
    const names = open.map(({ first }) => first).join(" or ") || "nothing";
    const said = `${id} (${priority}) ${fate.into === undefined ? (fate.below === undefined ? "paged" : `was number ${fate.below.count} of ${fate.below.of}`) : `is grouped into ${fate.into}`}`;
    if (fate.into !== undefined) {
      const into = open.filter(({ first }) => first === fate.into);
      if (into.length === 0) return `${said}, and ${names} was open`;
      if (rankOfPriority(priority) > rankOfPriority(top)) return `${said}, whose highest was ${top}`;
      possible = into;
      continue;
    }
    const raises = open.length > 0 && rankOfPriority(priority) > rankOfPriority(top);
    if (mustBeOpen && (!raises || fate.below !== undefined)) return `${said}, and ${names} was open`;
    if (mustBeOpen) {
      [top, topId] = [priority, id];
      continue;
    }
    if (atLeast !== null && !(raises && fate.below === undefined)) {
      const since = possible.at(-1)?.at ?? 0;
      const span = atLeast.withinMinutes * MINUTE_MS;
      came.push(receivedAt);
      const counts = came.filter((time) => time > receivedAt - span && time <= receivedAt && time > since);
      if (fate.below !== undefined && fate.below.count !== counts.length)
        return `${said}, and ${counts.length} had come`;
      if ((fate.below === undefined) !== counts.length >= atLeast.count)
        return `${said}, and ${counts.length} had come`;
    }
    if (fate.below !== undefined) continue;
    possible = [...(raises ? open : []), { first: id, at }];
    [top, topId] = [priority, id];
  }
  return undefined;
};

/** Returns the fault of a group whose events may have been counted in any order. */
const findUnorderedFault = ({ rule: { storm }, members }: GroupMembers, ended: Ended): string | undefined => {
  const { groupMinutes, atLeast } = storm!;
  const lasts = (groupMinutes ?? atLeast?.withinMinutes ?? 0) * MINUTE_MS;
  const paged = members.filter(({ fate }) => !isHeldBack(fate));
  for (const { id, at, priority, fate } of members) {
    const { into, below } = fate;
    if (below !== undefined && (below.of !== atLeast?.count || below.count >= below.of))
      return `${id} is below a threshold with ${below.count} of ${below.of}`;
    if (into === undefined) continue;
    const first = paged.find((one) => one.id === into);
    if (first === undefined) return `${id} is quiet because of ${into}, which did not page`;
    if (at >= first.at + lasts) return `${id} is quiet because of ${into}, which had ended`;
    if (!paged.some((one) => rankOfPriority(one.priority) >= rankOfPriority(priority) && one.receivedAt <= at + lasts))
      return `${id} is quiet, and no event of priority ${priority} or higher paged`;
  }
  for (const opener of paged) {
    const isRaiser = paged.some(
      (one) => rankOfPriority(one.priority) < rankOfPriority(opener.priority) && one.receivedAt <= opener.at,
    );
    const again = paged.find(
      (one) =>
        one.priority === opener.priority &&
        one.at > opener.storedAt &&
        one.at < opener.receivedAt + lasts &&
        // The end of an event that raised the group's priority also ends the group.
        paged.every(
          ({ id, priority, at }) =>
            one.at < ended(id).maybe || at > one.at || rankOfPriority(priority) < rankOfPriority(opener.priority),
        ),
    );
    if (!isRaiser && again !== undefined) return `${opener.id} paged, and ${again.id} paged again`;
  }
  return undefined;
};

/** Returns whether the events were planned one after the other; if not, their order is unknown. */
const isInOrder = ({ members }: GroupMembers): boolean =>
  members.every(({ at }, index) => index === 0 || at > (members[index - 1]?.storedAt ?? 0));

/** Checks which events paged in each group, and that events show the group's size. */
export const judgeEventGroups = (
  play: Play,
  model: WorkspaceModel,
  { groups }: EventGroups,
  views: readonly EventView[],
  resolvedBy: (eventId: string) => readonly Action[],
): void => {
  const { ws } = model.fixture;
  const addViolation = (text: string) => play.violations.push(`${ws}: ${text}`);
  const findEnd: Ended = (eventId) => {
    const view = views.find(({ id }) => id === eventId);
    // If the API does not show the event, only the actions on it say when it ended.
    const shown = view?.resolvedAt === null || view === undefined ? Infinity : Date.parse(view.resolvedAt);
    const actions = resolvedBy(eventId);
    return {
      maybe: Math.min(shown, ...actions.map(({ from }) => from)),
      sure: Math.min(...actions.map(({ to }) => to), actions.length === 0 ? shown + MINUTE_MS : Infinity),
    };
  };
  for (const group of groups) {
    const fault =
      (play.isUndisturbed() && isInOrder(group) ? findOrderedFault(group, findEnd) : undefined) ??
      findUnorderedFault(group, findEnd);
    if (fault !== undefined) addViolation(`of the group of ${group.rule.id} v${group.rule.version}: ${fault}`);
  }
  const members = groups.flatMap((group) => group.members);
  for (const { id, grouped, groupedInto, belowThreshold, notifications, outcome } of views) {
    const into = members.filter(({ fate }) => fate.into === id).length;
    if (grouped !== into) addViolation(`${id} shows ${grouped} grouped events instead of ${into}`);
    const own = members.filter((one) => one.id === id && isHeldBack(one.fate));
    if (notifications.length > 0 || own.length === 0) continue;
    const named = own.flatMap(({ fate }) => fate.into ?? []);
    if (named.length > 0 ? !named.includes(groupedInto ?? "") : belowThreshold === null)
      addViolation(`${id} does not show why it is quiet: ${outcome}`);
  }
};
