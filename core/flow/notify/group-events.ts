import type { TimedDeps } from "../../deps.ts";
import { AGAIN, retryChange } from "../../domain/basics/attempt.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { FrozenPlan } from "../../domain/delivery/delivery-plan.ts";
import type { PlannedEvent, StoredEvent } from "../../domain/event/stored-event.ts";
import type { PlannedDelivery } from "../../domain/planning/planned-delivery.ts";
import {
  isGroupOpenFor,
  countMaxEventsWithin,
  decideGroup,
  openGroup,
  applyGroupDecisions,
  type GroupEvent,
  type EventGroup,
  type GroupDecision,
} from "../../domain/planning/storm.ts";
import type { AtLeast, Gate } from "../../domain/rules/grouping.ts";
import {
  changeEventGroup,
  countEvents,
  hashGroupName,
  confirmTop,
  readCountedEvents,
  readEventGroup,
  type StoredGroup,
} from "../../store/events/event-groups.ts";
import { shareConcurrentCalls } from "../share-calls.ts";
import { MINUTE_MS } from "../../domain/basics/units.ts";

/** Returns an event with its plan; if the plan is missing, makes and stores it. Returns undefined if the event does not exist. */
export type MakePlan = (ws: WorkspaceId, eventId: string) => Promise<Pick<PlannedEvent, "plan" | "life"> | undefined>;

/** Returns whether the event itself notifies in the group: it joined no other event, and reached the threshold. */
export const isNotifiedForGroup = ({ groups = [] }: Pick<FrozenPlan, "groups">, key: string): boolean =>
  groups.some((one) => one.key === key && one.into === undefined && one.below === undefined);

/** Returns whether later events in the group notify nobody because of this event. Returns false for a resolved event. */
const suppressesOthers = ({ plan, life: { resolved } }: Pick<PlannedEvent, "plan" | "life">, key: string) =>
  isNotifiedForGroup(plan, key) && resolved === undefined;

const TRIES = 20;

type GateRequest = { ws: WorkspaceId; gate: Gate; key: string; event: GroupEvent };

/** `fresh`: the sequence numbers, in order, of the events that no earlier invocation has counted. */
type CountedTo = { events: readonly { seq: number; receivedAt: number }[]; fresh: readonly number[] };

/** Counts events for the threshold. Returns the counted events that arrived up to `withinMinutes` before or after `events`. */
const countEventsForThreshold = async (
  deps: TimedDeps,
  { ws, key }: Pick<GateRequest, "ws" | "key">,
  events: readonly GroupEvent[],
  { withinMinutes }: AtLeast,
): Promise<CountedTo> => {
  const span = withinMinutes * MINUTE_MS;
  const times = events.map(({ receivedAt }) => receivedAt);
  // Every invocation counts its events before it reads the total, so that the last of concurrent invocations sees all events.
  const before = await countEvents(deps, ws, key, undefined, events, deps.now() + span);
  const range = { from: Math.min(...times) - span, to: Math.max(...times) + span };
  const counted = await readCountedEvents(deps, ws, key, undefined, range);
  const seqs = events.map(({ seq }) => seq).filter((seq) => !before.some((one) => one.seq === seq));
  return { events: counted.events, fresh: [...new Set(seqs)] };
};

/** Returns the highest number of events in any threshold period with this event. Ignores events that were decided later. */
const countEventsAround = (
  { seq, receivedAt }: GroupEvent,
  { events, fresh }: CountedTo,
  since: number,
  atLeast: AtLeast,
): number => {
  const later = fresh.slice(fresh.indexOf(seq) + 1);
  const times = events.filter((one) => one.seq === seq || !later.includes(one.seq)).map((one) => one.receivedAt);
  return countMaxEventsWithin(times, { receivedAt, since }, atLeast);
};

/**
 * Decides by conditional writes whether an event starts a group, joins it, or pages again in the group. `known`: the last known
 * state of the group. Before an event joins, `makePlan` reads or makes the plan of the last event that paged. If the other
 * event's plan notifies nobody, or the other event is resolved, this event notifies people instead.
 */
const decideGroupPlacement = async (
  deps: TimedDeps,
  makePlan: MakePlan,
  { ws, gate, key, event }: GateRequest,
  known: StoredGroup | undefined,
): Promise<{ placement: GroupDecision; group: StoredGroup | undefined }> => {
  let group = known;
  const updateGroup = async (next: EventGroup): Promise<boolean> => {
    const changed = await changeEventGroup(deps, ws, key, next, group);
    ({ group } = changed);
    return changed.kind === "done";
  };
  return retryChange({ item: `the group of event ${event.eventId}`, tries: TRIES }, async () => {
    const move = decideGroup(group, event, gate.minutes);
    if (move.kind === "rings") return { placement: { kind: "rings" }, group };
    if (group !== undefined && isGroupOpenFor(group, event) && !group.sure) {
      const settled = await makePlan(ws, group.top);
      if (settled === undefined || !suppressesOthers(settled, key)) {
        const own = openGroup(event, gate.minutes);
        if (await updateGroup(group.top === group.first ? own : { ...group, top: own.top, priority: own.priority }))
          return { placement: { kind: "rings" }, group };
        return AGAIN;
      }
      await confirmTop(deps, ws, key, group);
      group = { ...group, sure: true };
    }
    if (move.kind === "joins") return { placement: { kind: "grouped", into: move.into }, group };
    return (await updateGroup(move.group)) ? { placement: { kind: "rings" }, group } : AGAIN;
  });
};

/** Decides whether several events of one group notify. Returns the decisions in the order of `requests`. Reads the group once. */
const decideGroupPlacements = async (
  deps: TimedDeps,
  makePlan: MakePlan,
  key: string,
  requests: readonly GateRequest[],
): Promise<GroupDecision[]> => {
  const [first] = requests;
  if (first === undefined) return [];
  const { ws, gate } = first;
  let group = await readEventGroup(deps, ws, key);
  const uncounted = requests.filter(({ event }) => !isGroupOpenFor(group, event)).map(({ event }) => event);
  const { atLeast } = gate;
  const counted =
    atLeast === null || uncounted.length === 0
      ? { events: [], fresh: [] }
      : await countEventsForThreshold(deps, first, uncounted, atLeast);
  const placements = new Map<string, GroupDecision>();
  for (const one of requests) {
    const { event } = one;
    if (placements.has(event.eventId)) continue;
    if (atLeast !== null && !isGroupOpenFor(group, event)) {
      const count = countEventsAround(event, counted, group?.at ?? -Infinity, atLeast);
      if (count < atLeast.count) {
        placements.set(event.eventId, { kind: "below", count, of: atLeast.count });
        continue;
      }
    }
    const placed = await decideGroupPlacement(deps, makePlan, one, group);
    ({ group } = placed);
    const { placement } = placed;
    placements.set(event.eventId, placement.kind === "rings" ? { kind: "rings", calm: group?.calm } : placement);
  }
  return requests.flatMap(({ event }) => placements.get(event.eventId) ?? []);
};

type Event = Pick<StoredEvent, "workspaceId" | "eventId" | "receivedAt"> & { seq: number };

/** Returns functions that apply a plan's groups and thresholds, if it has any. A retry counts an event only once. */
export const createGroupAndThresholdDecider = (deps: TimedDeps) => {
  /** Applies each group and threshold of the plan. `decideForGroup`: returns whether the event notifies in one group. */
  const applyGroupsAndThresholds = async (
    event: Event,
    delivery: PlannedDelivery,
    decideForGroup: (key: string, request: GateRequest) => Promise<GroupDecision>,
  ): Promise<PlannedDelivery> => {
    const { workspaceId: ws, eventId, seq } = event;
    const receivedAt = Math.floor(event.receivedAt);
    const placed: Parameters<typeof applyGroupDecisions>[1][number][] = [];
    // Groups are decided in the same order for all events, so that two events never wait for each other.
    for (const { rule, gate } of delivery.gates) {
      const key = hashGroupName(gate.name);
      const priority = delivery.plan.rules[rule]?.priority ?? "LOW";
      const request = { ws, gate, key, event: { eventId, seq, receivedAt, at: delivery.plan.at, priority } };
      placed.push({ rule, key, placement: await decideForGroup(key, request) });
    }
    return applyGroupDecisions(delivery, placed);
  };
  return {
    /** Decides which concurrent events of a group notify. `makePlan`: makes the plan of the event that opened the group. */
    together: (makePlan: MakePlan) => {
      const decide = shareConcurrentCalls<GateRequest, GroupDecision>((line, requests) =>
        decideGroupPlacements(deps, makePlan, line.slice(line.indexOf(" ") + 1), requests),
      );
      return (event: Event, delivery: PlannedDelivery) =>
        applyGroupsAndThresholds(event, delivery, (key, request) => decide(`${event.workspaceId} ${key}`, request));
    },
    /** Decides whether an event notifies people, without waiting for concurrent events, which may be waiting for this event. */
    alone: (makePlan: MakePlan) => (event: Event, delivery: PlannedDelivery) =>
      applyGroupsAndThresholds(event, delivery, async (key, request) => {
        const [placement] = await decideGroupPlacements(deps, makePlan, key, [request]);
        if (placement === undefined) throw new Error(`${event.eventId} got no placement`);
        return placement;
      }),
  };
};
