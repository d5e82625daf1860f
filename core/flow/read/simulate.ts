import type { Deps } from "../../deps.ts";
import { invalid } from "../../domain/basics/refusal.ts";
import { fromIso, toIso } from "../../domain/basics/time.ts";
import type { EventContent } from "../../domain/event/event.ts";
import { draftReferenceFaults, withDraftPolicies, withDraftRules } from "../../domain/rules/draft.ts";
import {
  createHistory,
  HISTORY_EVENTS_MAX,
  HISTORY_READ_UNITS_MAX,
  type History,
  type HistoryInput,
  type PastEvent,
} from "../../domain/planning/history.ts";
import {
  peopleToReach,
  planSimulation,
  SIMULATED_PEOPLE_MAX,
  toSimulation,
  type Simulation,
  type SimulationInput,
} from "../../domain/planning/simulation.ts";
import { loadMatching, loadPeople } from "../../store/config.ts";
import { readControl } from "../../store/control.ts";
import { readDevices } from "../../store/devices.ts";
import { readEvent, readPastEvents } from "../../store/events.ts";
import { warningsOfPeople } from "./find-warnings.ts";

type SimulateDeps = Pick<Deps, "table" | "now">;

const unknownEvent = (field: string) =>
  invalid([{ field, code: "unknown_reference", message: `${field} must be the id of an event of this workspace.` }]);

/** The event and its time: a stored event at its own, a made-up one now, unless the input names a time. */
const eventOf = async (
  deps: SimulateDeps,
  ws: string,
  { event, eventId, at }: SimulationInput,
): Promise<{ content: EventContent; at: number }> => {
  const asked = at === undefined ? undefined : fromIso(at);
  if (event !== undefined) return { content: event, at: asked ?? deps.now() };
  const stored = await readEvent(deps, ws, eventId ?? "");
  if (stored === undefined) throw unknownEvent("eventId");
  return { content: stored.content, at: asked ?? stored.receivedAt };
};

/**
 * What an event would lead to, drafts included. Throws Refusal `invalid_input` for an event, groups, users or policies
 * that the workspace does not have.
 */
export const simulateEvent = async (deps: SimulateDeps, ws: string, input: SimulationInput): Promise<Simulation> => {
  const [{ rules, silences }, today, { content, at }] = await Promise.all([
    loadMatching(deps, ws),
    loadPeople(deps, ws),
    eventOf(deps, ws, input),
  ]);
  const people = withDraftPolicies(today, input.policies);
  const faults = draftReferenceFaults(input.rules, input.policies, people);
  if (faults.length > 0) throw invalid(faults);
  const setting = { people, drafted: withDraftRules(rules, input.rules), silences, now: deps.now() };
  const planned = planSimulation(setting, content, at);
  const devices = await readDevices(deps, ws, peopleToReach(planned, people).slice(0, SIMULATED_PEOPLE_MAX));
  return toSimulation(setting, planned, devices);
};

/** A call also stops after this time, because the function itself ends after ten seconds. */
const HISTORY_WORK_MS = 5_000;
/** Events that are read in one page. */
const HISTORY_PAGE = 500;
const DAY_MS = 24 * 3_600_000;

/** Where a walk back over events stopped: its last event, whether there are more, and the read units used. */
type Walked = { last: PastEvent | undefined; more: boolean; readUnits: number };

/** Passes events to `look`, the newest first, until one is too old, there are no more, or the call has done enough. */
const walkBack = async (
  deps: SimulateDeps,
  ws: string,
  range: { from: number; to: number; since: number },
  look: (event: PastEvent) => void,
): Promise<Walked> => {
  const began = deps.now();
  const walked: Walked = { last: undefined, more: false, readUnits: 0 };
  for (let { to } = range; to >= range.from;) {
    const page = await readPastEvents(deps, ws, { from: range.from, to, limit: HISTORY_PAGE });
    walked.readUnits += page.readUnits;
    for (const [index, event] of page.events.entries()) {
      if (event.receivedAt < range.since) return walked;
      look(event);
      walked.last = event;
      const enough = deps.now() - began > HISTORY_WORK_MS || walked.readUnits >= HISTORY_READ_UNITS_MAX;
      const isLast = index === page.events.length - 1;
      if (enough && (!isLast || page.more)) return { ...walked, more: true };
    }
    if (!page.more || walked.last === undefined) return walked;
    to = walked.last.seq - 1;
  }
  return walked;
};

const numberBefore = async (deps: SimulateDeps, ws: string, eventId: string): Promise<number> => {
  const event = await readEvent(deps, ws, eventId);
  if (event === undefined) throw unknownEvent("before");
  return event.seq - 1;
};

/**
 * What drafts would have changed in the last days, over as many stored events as one call may read. Throws Refusal
 * `invalid_input` as above.
 */
export const simulateHistory = async (
  deps: SimulateDeps,
  ws: string,
  { rules: drafts, days, before }: HistoryInput,
): Promise<History> => {
  const now = deps.now();
  const [{ rules, silences }, people, control, end] = await Promise.all([
    loadMatching(deps, ws),
    loadPeople(deps, ws),
    readControl(deps, ws),
    before === undefined ? undefined : numberBefore(deps, ws, before),
  ]);
  const faults = draftReferenceFaults(drafts, [], people);
  if (faults.length > 0) throw invalid(faults);
  const history = createHistory({ people, silences }, rules, withDraftRules(rules, drafts));
  const newest = control?.seq ?? 0;
  const oldest = Math.max(1, newest - HISTORY_EVENTS_MAX + 1);
  const since = now - days * DAY_MS;
  const { last, more, readUnits } = await walkBack(deps, ws, { from: oldest, to: end ?? newest, since }, history.look);
  const reachesBack = !more && (oldest === 1 || last === undefined || last.seq > oldest);
  return {
    from: toIso(reachesBack ? since : (last?.receivedAt ?? since)),
    ...history.answer(),
    readUnits,
    next: more ? (last?.eventId ?? null) : null,
    warnings: await warningsOfPeople(deps, ws, [...history.reached]),
  };
};
