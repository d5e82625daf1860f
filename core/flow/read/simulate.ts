import type { TableDeps, TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { invalidInput, refuseField, type Refusal } from "../../domain/basics/refusal.ts";
import { fromIso, toIso } from "../../domain/basics/time.ts";
import { toClaimName, addSender, type EventContent } from "../../domain/event/event.ts";
import type { Flapping } from "../../domain/event/flapping.ts";
import {
  findDraftPatternFaults,
  findDraftReferenceFaults,
  findUnknownGroupFaults,
  applyDraftPolicies,
  applyOnCallDrafts,
  mergeDraftRules,
} from "../../domain/planning/draft.ts";
import {
  createReplay,
  HISTORY_EVENTS_MAX,
  HISTORY_READ_UNITS_MAX,
  type History,
  type HistoryInput,
  type PastEvent,
} from "../../domain/planning/history.ts";
import {
  planSimulation,
  toSimulation,
  type Simulation,
  type SimulationInput,
} from "../../domain/planning/simulation.ts";
import { listPeopleToReach, SIMULATED_PEOPLE_MAX } from "../../domain/planning/timeline.ts";
import { isDecidedByRules } from "../../domain/event/notice.ts";
import { createGroupingSimulator, type StoredGroups } from "../../domain/planning/storm.ts";
import type { GateOfRule } from "../../domain/planning/planned-delivery.ts";
import { hashGroupName, readCountedEvents, readEventGroup } from "../../store/events/event-groups.ts";
import { mapLimit } from "../../domain/basics/in-turns.ts";
import { loadRuleSet } from "../../store/rules/all-rules.ts";
import { addReachability } from "./reach-of-people.ts";
import { loadPeople } from "../../store/people/people.ts";
import { readControl } from "../../store/events/control.ts";
import { readEdge } from "../../store/events/sequence.ts";
import { readDevices } from "../../store/people/devices.ts";
import { readFlappingAt } from "../../store/claims.ts";
import { predictPageLimit } from "./pages.ts";
import { readPeopleWarnings } from "./find-warnings.ts";
import { readEventsBackwards } from "./read-backwards.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/basics/units.ts";
import { readShownEvent } from "./shown-event.ts";

const refuseUnknownEvent = (field: string): Refusal =>
  refuseField(field, "unknown_reference", `${field} must be the id of an event of this workspace.`);

/** Reads the event to simulate. By default, a stored event is simulated at its own time, any other event at the current time. */
const readSimulatedEvent = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  { event, eventId, sender, at }: SimulationInput,
  now: number,
): Promise<{ content: EventContent; at: number; flapping: Flapping | undefined }> => {
  const asked = at === undefined ? undefined : fromIso(at);
  const stored = event === undefined ? await readShownEvent(deps, ws, eventId ?? "") : undefined;
  if (stored !== undefined && asked === undefined)
    return { content: addSender(stored.content, sender), at: stored.receivedAt, flapping: stored.flapping };
  const content: EventContent | undefined = event ?? stored?.content;
  if (content === undefined) throw refuseUnknownEvent("eventId");
  const { dedupeKey } = content;
  const time = asked ?? now;
  const flapping =
    dedupeKey === undefined ? undefined : await readFlappingAt(deps, ws, toClaimName(content, dedupeKey), time);
  return { content: addSender(content, sender), at: time, flapping };
};

/** Reads the states that groups of events had at the time `at`. Leaves out groups that began later. */
const readStoredGroups = async (
  deps: TableDeps,
  ws: WorkspaceId,
  gates: readonly GateOfRule[],
  { at, now }: { at: number; now: number },
): Promise<StoredGroups> => {
  const known = await mapLimit(gates, GATES_AT_ONCE, async ({ gate: { name, atLeast } }) => {
    const key = hashGroupName(name);
    const group = await readEventGroup(deps, ws, key);
    const range = { from: at - (atLeast?.withinMinutes ?? 0) * MINUTE_MS, to: at };
    const { events } = atLeast === null ? { events: [] } : await readCountedEvents(deps, ws, key, undefined, range);
    const times = events.map(({ receivedAt }) => receivedAt).filter((time) => time <= at);
    // The acknowledgements at a past time are not known.
    const calm = at < now ? undefined : group?.calm;
    return [name, { group: group !== undefined && group.at <= at ? group : undefined, times, calm }] as const;
  });
  return new Map(known);
};
const GATES_AT_ONCE = 5;

/** Simulates an event. Throws Refusal `invalid_input` for an unknown event, group, user or policy. */
export const simulateEvent = async (deps: TimedDeps, ws: WorkspaceId, input: SimulationInput): Promise<Simulation> => {
  // The clock is read only once: if it advanced between two reads, "now" would become a past time.
  const now = deps.now();
  const [{ rules, silences }, today, { content, at, flapping }, control] = await Promise.all([
    loadRuleSet(deps, ws),
    loadPeople(deps, ws),
    readSimulatedEvent(deps, ws, input, now),
    readControl(deps, ws),
  ]);
  const people = applyDraftPolicies(await addReachability(deps, ws, today, { from: at, to: Infinity }), input.policies);
  const drafted = mergeDraftRules(rules, input.rules);
  const faults = [
    ...findDraftReferenceFaults(input.rules, input.policies, people),
    ...findDraftPatternFaults(input.rules, drafted),
  ];
  if (faults.length > 0) throw invalidInput(faults);
  const setting = { people, drafted, silences, now };
  const { gates, ...plan } = planSimulation(setting, content, at, flapping);
  const savedGates = gates.filter(({ rule }) => !drafted.drafts.has(plan.plan.rules[rule]?.rule.id ?? ""));
  const throughGates = createGroupingSimulator(await readStoredGroups(deps, ws, savedGates, { at, now }));
  const event = { eventId: input.eventId ?? "", seq: 0, receivedAt: at };
  const passed = throughGates({ ...plan, gates }, event);
  // The counted pages at a past time are not known.
  const ringsKnown = at >= now && control !== undefined;
  const planned = {
    content,
    at,
    ringsKnown,
    ...(ringsKnown ? await predictPageLimit(deps, ws, control, passed) : passed),
  };
  const devices = await readDevices(deps, ws, listPeopleToReach(planned, people).slice(0, SIMULATED_PEOPLE_MAX));
  return toSimulation(setting, planned, devices);
};

/** The time limit of one call; the function times out after ten seconds. */
const HISTORY_WORK_MS = 5_000;
const most = { ms: HISTORY_WORK_MS, readUnits: HISTORY_READ_UNITS_MAX };

const readNumberBeforeEvent = async (deps: TimedDeps, ws: WorkspaceId, eventId: string): Promise<number> => {
  const event = await readShownEvent(deps, ws, eventId);
  if (event === undefined) throw refuseUnknownEvent("before");
  return event.seq - 1;
};

/** Counts the events of the first `spanMs`, or half of `events` if less. They only start groups; the next call evaluates them. */
const countLeadingEvents = (events: readonly PastEvent[], spanMs: number): number => {
  const oldest = events[0]?.receivedAt ?? 0;
  const count = events.findIndex(({ receivedAt }) => receivedAt >= oldest + spanMs);
  const half = Math.floor(events.length / 2);
  return count === -1 ? half : Math.min(count, half);
};

/** Compares whom drafts and stored rules notify of past events, as many as one call may read. Throws like `simulateEvent`. */
export const simulateHistory = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  { rules: drafts, onCall, days, before }: HistoryInput,
): Promise<History> => {
  const now = deps.now();
  const [{ rules, silences }, people, control, end] = await Promise.all([
    loadRuleSet(deps, ws),
    loadPeople(deps, ws),
    readControl(deps, ws),
    before === undefined ? undefined : readNumberBeforeEvent(deps, ws, before),
  ]);
  const drafted = mergeDraftRules(rules, drafts);
  const faults = [
    ...findDraftReferenceFaults(drafts, [], people),
    ...findDraftPatternFaults(drafts, drafted),
    ...findUnknownGroupFaults(onCall, people),
  ];
  if (faults.length > 0) throw invalidInput(faults);
  const loud = control?.loud.limit ?? null;
  const history = createReplay({ people, drafted: applyOnCallDrafts(people, onCall), silences, loud }, rules, drafted);
  const newest = control?.seq ?? 0;
  const edge = control === undefined ? 0 : await readEdge(deps, ws, control);
  const oldest = Math.max(edge + 1, newest - HISTORY_EVENTS_MAX + 1);
  const since = now - days * DAY_MS;
  // Reads from the newest to the oldest event, at most 16 MB in one call.
  const events: PastEvent[] = [];
  // If `before` is the id of a probe, `end` is higher than all event numbers.
  const range = { from: oldest, to: Math.min(end ?? newest, newest), since, most };
  const { last, more, readUnits } = await readEventsBackwards(deps, ws, range, (event) => {
    if (isDecidedByRules(event.content)) events.push(event);
  });
  events.reverse();
  const left = more ? countLeadingEvents(events, history.longest) : 0;
  for (const [index, event] of events.entries()) (index < left ? history.lead : history.look)(event);
  const reachesBack = !more && (oldest === edge + 1 || last === undefined || last.seq > oldest);
  const first = events[left];
  return {
    from: toIso(reachesBack ? since : (first?.receivedAt ?? since)),
    ...history.answer(),
    readUnits,
    next: more ? (first?.eventId ?? null) : null,
    warnings: await readPeopleWarnings(deps, ws, [...history.reached]),
  };
};
