import type { Deps } from "../deps.ts";
import { inTurns } from "../domain/basics/in-turns.ts";
import type { Priority } from "../domain/basics/priority.ts";
import { isToldAfterwards } from "../domain/delivery/delivery-plan.ts";
import type { StoredEvent } from "../domain/event/stored-event.ts";
import { uncountedBelow, valveAt, type Valve } from "../domain/people/loud.ts";
import type { Recipient } from "../domain/people/recipient.ts";
import type { PlannedDelivery } from "../domain/planning/plan-event.ts";
import { quieted, quietedRules, ringsOf } from "../domain/planning/valve.ts";
import { createLine } from "./in-line.ts";
import { readControl } from "../store/control.ts";
import { readEventsNumbered } from "../store/events.ts";
import { readPlannedRules } from "../store/plans.ts";
import { countRings, type Ring } from "../store/rung.ts";
import type { Settle } from "./pass-gates.ts";

type ValveDeps = Pick<Deps, "table" | "now">;

/** When a plan was made, and whom it rings for. */
type Rings = { at: number; users: ReadonlyMap<string, Priority> };
/** The rings of the first events, and how many of these nobody knows: they may still come, and ring for anybody. */
type FirstRings = { known: readonly Rings[]; unknown: number };

/** Workspaces of which an instance remembers the first events of the last ten minutes: plans never change. */
const REMEMBERED_WORKSPACES = 1_000;
/** People of one event who are looked at side by side. */
const PEOPLE_AT_ONCE = 8;

type Counted = { ws: string; seq: number; at: number; valve: Valve };

/** Says of some people for whom it must not ring because it has too often. Rings of one person share the work. */
const createCount = (deps: ValveDeps) => {
  const count = createLine<Ring, boolean>((line, rings) => {
    const [ws = "", userId = ""] = line.split(" ");
    return countRings(deps, ws, userId, rings);
  });
  return async (
    { ws, at, valve: { limit } }: Omit<Counted, "seq">,
    by: string,
    people: ReadonlyMap<string, Priority>,
    first: FirstRings,
  ): Promise<ReadonlySet<string>> => {
    const tooMany = await inTurns([...people], PEOPLE_AT_ONCE, async ([userId, priority]) => {
      const known = first.known.flatMap((rings) => {
        const loud = rings.users.get(userId);
        return loud === undefined ? [] : [{ at: rings.at, priority: loud }];
      });
      const unknown = Array.from({ length: first.unknown }, () => ({ at, priority: "LOW" as const }));
      const uncounted = [...known, ...unknown];
      return (await count(`${ws} ${userId}`, { one: { by, at, priority }, limit, uncounted })) ? [] : [userId];
    });
    return new Set(tooMany.flat());
  };
};

/**
 * Finds whom the first events of the last ten minutes ring for without being counted. One that was counted, as it was not
 * among the first when it came or as people are told of it afterwards, rings for nobody here. `own`: the number of the event that
 * asks.
 */
const createFirstRings = (deps: ValveDeps) => {
  const memory = new Map<string, Map<number, Rings>>();
  return async (
    { ws, seq, valve }: Omit<Counted, "at">,
    own: number | undefined,
    settle: Settle | undefined,
  ): Promise<FirstRings> => {
    const numbers = uncountedBelow(valve, seq).filter((number) => number !== own);
    const known = new Map([...(memory.get(ws) ?? [])].filter(([number]) => numbers.includes(number)));
    memory.delete(ws);
    memory.set(ws, known);
    const [oldest] = memory.keys();
    if (memory.size > REMEMBERED_WORKSPACES && oldest !== undefined) memory.delete(oldest);
    const missing = numbers.filter((number) => !known.has(number));
    for (const event of await readEventsNumbered(deps, ws, missing, { consistent: true })) {
      const plan = event.plan ?? (await settle?.(ws, event.eventId));
      if (plan === undefined) continue;
      const isCounted = event.valve !== undefined || isToldAfterwards(plan);
      const rules = isCounted ? [] : await readPlannedRules(deps, { ...event, plan });
      known.set(event.seq, { at: plan.at, users: ringsOf(rules) });
    }
    return { known: [...known.values()], unknown: numbers.length - known.size };
  };
};

/** By what something is counted that rings now, and the number that an event has which comes now; undefined where nothing is. */
const valveNow = async (
  deps: Pick<Deps, "table">,
  ws: string,
  at: number,
): Promise<{ valve: Valve; seq: number } | undefined> => {
  const control = await readControl(deps, ws);
  const valve = control === undefined ? undefined : valveAt(control.loud, control.seq, at);
  return control === undefined || valve === undefined ? undefined : { valve, seq: control.seq + 1 };
};

/**
 * Lets a plan ring for nobody more often than the workspace wants it within ten minutes: who would be, is told without a
 * sound. An event before which too few came for that costs nothing; one that is told after a silence or a hold is counted
 * whenever it tells somebody. `settle`: gives the plan of
 * an event that has none yet; without it, such an event counts as if it rang for everybody.
 */
export const createValve = (deps: ValveDeps) => {
  const firstRings = createFirstRings(deps);
  const tooOften = createCount(deps);
  return async (
    event: Pick<StoredEvent, "workspaceId" | "seq" | "valve">,
    made: PlannedDelivery,
    settle?: Settle,
  ): Promise<PlannedDelivery> => {
    const { workspaceId: ws, seq, valve } = event;
    const { plan } = made;
    const people = ringsOf(plan.rules);
    if (people.size === 0) return made;
    const own = valve === undefined ? undefined : { valve, seq };
    const by = isToldAfterwards(plan) ? await valveNow(deps, ws, plan.at) : own;
    if (by === undefined) return made;
    const counted = { ws, at: plan.at, ...by };
    const users = await tooOften(counted, String(seq), people, await firstRings(counted, seq, settle));
    if (users.size === 0) return made;
    return { ...made, plan: { ...plan, rules: quietedRules(plan.rules, users, "too_many") } };
  };
};

/** The same for a step of an escalation, which is counted whenever it tells somebody. */
export const createStepValve = (deps: ValveDeps) => {
  const firstRings = createFirstRings(deps);
  const tooOften = createCount(deps);
  return async (
    { ws, seq, rule, cursor }: { ws: string; seq: number; rule: number; cursor: number },
    priority: Priority,
    recipients: readonly Recipient[],
    at: number,
  ): Promise<readonly Recipient[]> => {
    const people = ringsOf([{ priority, recipients }]);
    if (people.size === 0) return recipients;
    const now = await valveNow(deps, ws, at);
    if (now === undefined) return recipients;
    const first = await firstRings({ ws, ...now }, undefined, undefined);
    const by = `${seq}.${rule}.${cursor}`;
    return quieted(recipients, await tooOften({ ws, at, valve: now.valve }, by, people, first), "too_many");
  };
};
export type StepValve = ReturnType<typeof createStepValve>;
