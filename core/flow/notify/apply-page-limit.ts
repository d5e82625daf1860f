import type { TimedDeps } from "../../deps.ts";
import { inTurns } from "../../domain/basics/in-turns.ts";
import type { Priority } from "../../domain/basics/priority.ts";
import { isToldAfterwards } from "../../domain/delivery/delivery-plan.ts";
import type { StoredEvent } from "../../domain/event/stored-event.ts";
import type { Valve } from "../../domain/workspace/page-limit.ts";
import type { Recipient } from "../../domain/people/recipient.ts";
import type { PlannedDelivery } from "../../domain/planning/plan-event.ts";
import { quieted, quietedRules, ringsOf } from "../../domain/planning/page-limit.ts";
import { createFirstRings, uncountedOf, valveNow, type FirstRings } from "../read/pages.ts";
import { createLine } from "../share-calls.ts";
import { countRings, type Ring } from "../../store/delivery/pages.ts";
import type { Settle } from "./group-events.ts";

/** People of one event who are looked at side by side. */
const PEOPLE_AT_ONCE = 8;

type Counted = { ws: string; seq: number; at: number; valve: Valve };

/** Says of some people for whom it must not ring because it has too often. Rings of one person share the work. */
const createCount = (deps: TimedDeps) => {
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
      const ring = { one: { by, at, priority }, limit, uncounted: uncountedOf(first, userId, at) };
      return (await count(`${ws} ${userId}`, ring)) ? [] : [userId];
    });
    return new Set(tooMany.flat());
  };
};

/**
 * Lets a plan ring for nobody more often than the workspace wants it within ten minutes: who would be, is told without a
 * sound. An event before which too few came for that costs nothing; one that is told after a silence or a hold is counted
 * whenever it tells somebody. `settle`: gives the plan of
 * an event that has none yet; without it, such an event counts as if it rang for everybody.
 */
export const createValve = (deps: TimedDeps) => {
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
export const createStepValve = (deps: TimedDeps) => {
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
