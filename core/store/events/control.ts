import * as v from "valibot";
import type { TableDeps, TimedDeps } from "../../deps.ts";
import { AGAIN, retryChange } from "../../domain/basics/attempt.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { DEFAULT_PLAN } from "../../domain/basics/limits.ts";
import { computePreviousDay, formatUtcDay, changeRetention, type Edge } from "../../domain/workspace/retention.ts";
import { PAGE_LIMIT, updatePageLimitState, computePageLimitSlot } from "../../domain/workspace/page-limit.ts";
import { formatUtcMonth, type UsagePlan } from "../../domain/workspace/usage-plan.ts";
import {
  computeEmptyBucketTat,
  computeMaxAdmittedTat,
  computeEventIntervalMicros,
} from "../../domain/workspace/rate-limit.ts";
import { FIRST_PROBE_NUMBER } from "../../domain/event/probe.ts";
import { toIso } from "../../domain/basics/time.ts";
import { controlKey } from "../keys.ts";
import { getItem, updateItem } from "../table.ts";
import type { Control } from "../../domain/workspace/control.ts";
import { HOUR_MS } from "../../domain/basics/units.ts";

/* One conditional update of the control item (below 1 KB: one write unit) checks key, rate and quota, and numbers the event. */

const ControlItem = v.object({
  /** The last assigned event number. */
  seq: v.number(),
  /** The number of probes that were sent so far. Probes have their own sequence of numbers. */
  probes: v.optional(v.number(), 0),
  /** The month (UTC) whose events `used` counts. */
  month: v.string(),
  used: v.number(),
  /** The theoretical arrival time of the next event at a constant rate (GCRA), in microseconds since the epoch. */
  tat: v.number(),
  limit: v.number(),
  rate: v.number(),
  burst: v.number(),
  /** The retention of events, in days. */
  keep: v.optional(v.number(), DEFAULT_PLAN.retentionDays),
  /** The shortest retention of earlier plans, in days, and the time until which it applied to new events, in milliseconds. */
  kept: v.optional(v.tuple([v.number(), v.number()])),
  /** The retention edge (see `Edge`): the day `through`, and the last event number past retention. */
  edge: v.optional(v.tuple([v.string(), v.number()])),
  /** The first 16 bytes of the SHA-256 hash of every valid API key. */
  hashes: v.optional(v.set(v.instance(Uint8Array))),
  /** The versions of the rules and of the people; every change raises one of them. */
  rv: v.number(),
  pv: v.number(),
  /** The version of the rules when probes were last scheduled; 1 for a new workspace. */
  probed: v.optional(v.number(), 1),
  /** The time from which events are spread over partitions, in milliseconds; undefined until an event sets it. */
  spread: v.optional(v.number()),
  /** The maximum number of pages per person in ten minutes; 0: unlimited. */
  loud: v.optional(v.number(), PAGE_LIMIT),
  /** The newest event's ten-minute period, and the last event numbers before this period and before the previous period. */
  ten: v.optional(v.number(), -1),
  tenBegan: v.optional(v.number(), 0),
  tenBefore: v.optional(v.number(), 0),
  /** The end of the shadow, until which new events notify nobody, in milliseconds. */
  shadow: v.optional(v.number()),
  /** The id of the last admitted request, by which a write that the SDK repeats is recognized. */
  last: v.optional(v.string()),
});
type ControlItem = v.InferOutput<typeof ControlItem>;

const toControl = (item: ControlItem): Control => ({
  seq: item.seq,
  probes: FIRST_PROBE_NUMBER + item.probes,
  month: item.month,
  used: item.used,
  tat: item.tat,
  plan: { monthlyEvents: item.limit, eventsPerMinute: item.rate, burst: item.burst, retentionDays: item.keep },
  retention: { days: item.keep, before: item.kept && { days: item.kept[0], till: item.kept[1] } },
  edge: item.edge && { through: item.edge[0], number: item.edge[1] },
  rulesVersion: item.rv,
  peopleVersion: item.pv,
  probedVersion: item.probed,
  spreadsFrom: item.spread ?? Infinity,
  loud: { limit: item.loud === 0 ? null : item.loud, slot: item.ten, began: item.tenBegan, before: item.tenBefore },
  shadowUntil: item.shadow,
});

/** Returns whether an API key is valid: whether the control item contains the key's hash. */
const isKeyAllowed = (item: ControlItem, hash: Uint8Array): boolean =>
  [...(item.hashes ?? [])].some((stored) => Buffer.from(stored).equals(hash));

/** Writes the control item of a new workspace. Leaves an existing item unchanged. */
export const createControl = async (deps: TimedDeps, ws: WorkspaceId, plan: UsagePlan): Promise<void> => {
  await updateItem(deps, controlKey(ws), ControlItem, {
    update:
      "SET seq = if_not_exists(seq, :zero), used = if_not_exists(used, :zero), tat = if_not_exists(tat, :zero), " +
      "#month = if_not_exists(#month, :never), rv = if_not_exists(rv, :one), pv = if_not_exists(pv, :one), " +
      "#limit = if_not_exists(#limit, :limit), #rate = if_not_exists(#rate, :rate), burst = if_not_exists(burst, :burst), " +
      "keep = if_not_exists(keep, :keep), edge = if_not_exists(edge, :edge), spread = if_not_exists(spread, :zero)",
    names: { "#month": "month", "#limit": "limit", "#rate": "rate" },
    values: {
      ":zero": 0,
      ":one": 1,
      ":never": "",
      ":limit": plan.monthlyEvents,
      ":rate": plan.eventsPerMinute,
      ":burst": plan.burst,
      ":keep": plan.retentionDays,
      ":edge": [computePreviousDay(formatUtcDay(deps.now())), 0],
    },
  });
};

/** Updates the control item. Throws if the workspace has no control item. */
const changeControl = async (
  deps: TableDeps,
  ws: WorkspaceId,
  update: string,
  values: Record<string, unknown>,
  names?: Record<string, string>,
): Promise<void> => {
  const condition = "attribute_exists(pk)";
  const change = { update, condition, values, ...(names === undefined ? {} : { names }) };
  const { kind } = await updateItem(deps, controlKey(ws), ControlItem, change);
  if (kind === "refused") throw new Error(`workspace ${ws} has no control item`);
};

/** Stores a usage plan. Earlier events delay the next ones at most as long as one full burst of the new plan would. */
export const setUsagePlan = async (deps: TimedDeps, ws: WorkspaceId, plan: UsagePlan): Promise<void> => {
  await retryChange({ item: `the plan of ${ws}` }, async () => {
    const seen = await readControl(deps, ws);
    if (seen === undefined) throw new Error(`workspace ${ws} has no control item`);
    const { days, before } = changeRetention(seen.retention, plan.retentionDays, deps.now());
    const { kind } = await updateItem(deps, controlKey(ws), ControlItem, {
      update: `SET #limit = :limit, #rate = :rate, burst = :burst, keep = :keep${before === undefined ? "" : ", kept = :kept"}`,
      condition: "attribute_exists(pk) AND (attribute_not_exists(keep) OR keep = :seen)",
      names: { "#limit": "limit", "#rate": "rate" },
      values: {
        ":limit": plan.monthlyEvents,
        ":rate": plan.eventsPerMinute,
        ":burst": plan.burst,
        ":keep": days,
        ":seen": seen.retention.days,
        ...(before === undefined ? {} : { ":kept": [before.days, before.till] }),
      },
    });
    return kind === "refused" ? AGAIN : undefined;
  });
  await updateItem(deps, controlKey(ws), ControlItem, {
    update: "SET tat = :emptied",
    condition: "tat > :emptied",
    values: { ":emptied": computeEmptyBucketTat(plan, deps.now()) },
  });
};

/** Stores the number of the last event past retention, and the last day (`through`) on which this number is valid. */
export const setRetentionEdge = async (deps: TableDeps, ws: WorkspaceId, { through, number }: Edge): Promise<void> => {
  await changeControl(deps, ws, "SET edge = :edge", { ":edge": [through, number] });
};

/** Stores the version of the rules for which probes are now scheduled. */
export const setProbedVersion = async (deps: TableDeps, ws: WorkspaceId, rulesVersion: number): Promise<void> => {
  await changeControl(deps, ws, "SET probed = :version", { ":version": rulesVersion });
};

/** Sets the maximum number of pages per person in ten minutes (null: unlimited), starting with the next event. */
export const setPageLimit = async (deps: TableDeps, ws: WorkspaceId, limit: number | null): Promise<void> => {
  await changeControl(deps, ws, "SET loud = :loud", { ":loud": limit ?? 0 });
};

/** Sets the end of the shadow, until which new events notify nobody, in milliseconds. */
export const setShadowEnd = async (deps: TableDeps, ws: WorkspaceId, until: number): Promise<void> => {
  await changeControl(deps, ws, "SET shadow = :until", { ":until": until });
};

/** Raises the version of the rules (attribute `rv`) or of the people (`pv`) by one. */
const raiseVersion = async (deps: TableDeps, ws: WorkspaceId, attribute: "rv" | "pv"): Promise<void> => {
  await changeControl(deps, ws, "SET #version = #version + :one", { ":one": 1 }, { "#version": attribute });
};

/** Raises the rules' version, so that workers reload them. Must be called after the change is written and before answering. */
export const raiseRulesVersion = (deps: TableDeps, ws: WorkspaceId): Promise<void> => raiseVersion(deps, ws, "rv");

/** Raises the version of the people: members, groups, schedules, overrides and escalation policies. */
export const raisePeopleVersion = (deps: TableDeps, ws: WorkspaceId): Promise<void> => raiseVersion(deps, ws, "pv");

/** Makes an API key valid. Returns false if there are `max` keys. `hash`: the first 16 bytes of the key's SHA-256 hash. */
export const allowApiKey = async (
  deps: TableDeps,
  ws: WorkspaceId,
  hash: Uint8Array,
  max: number,
): Promise<boolean> => {
  const { kind, item } = await updateItem(deps, controlKey(ws), ControlItem, {
    update: "ADD hashes :hashes",
    condition:
      "attribute_exists(pk) AND (attribute_not_exists(hashes) OR contains(hashes, :hash) OR size(hashes) < :max)",
    values: { ":hashes": new Set([hash]), ":hash": hash, ":max": max },
  });
  if (item === undefined) throw new Error(`workspace ${ws} has no control item`);
  return kind === "done";
};

/** Makes an API key invalid, starting with the next event. Idempotent. */
export const revokeApiKey = async (deps: TableDeps, ws: WorkspaceId, hash: Uint8Array): Promise<void> => {
  await changeControl(deps, ws, "DELETE hashes :hashes", { ":hashes": new Set([hash]) });
};

/** Reads the control item, strongly consistent. Returns undefined if the API key is not valid or the workspace does not exist. */
export const readControlForKey = async (
  deps: TableDeps,
  ws: WorkspaceId,
  hash: Uint8Array,
): Promise<Control | undefined> => {
  const item = await getItem(deps, controlKey(ws), ControlItem);
  return item !== undefined && isKeyAllowed(item, hash) ? toControl(item) : undefined;
};

export const readControl = async (
  deps: TableDeps,
  ws: WorkspaceId,
  options?: { consistent?: boolean },
): Promise<Control | undefined> => {
  const item = await getItem(deps, controlKey(ws), ControlItem, options);
  return item === undefined ? undefined : toControl(item);
};

export type Admission =
  | { kind: "admitted"; control: Control }
  | { kind: "bad_key" }
  | { kind: "over_quota"; control: Control }
  | { kind: "over_rate"; control: Control }
  /** The control item changed during every attempt, so no event was admitted. */
  | { kind: "contended" };

const ADMIT_TRIES = 8;
/** If `tat` is at most this share of a burst behind the clock, the update adds to `tat` without knowing its exact value. */
const LAG_SHARE = 0.01;

/** Begins a new month's count of events, unless the count has begun. Returns the current state. */
const startMonth = async (deps: TableDeps, ws: WorkspaceId, month: string): Promise<Control | undefined> => {
  const { item } = await updateItem(deps, controlKey(ws), ControlItem, {
    update: "SET used = :zero, #month = :month",
    condition: "#month < :month",
    names: { "#month": "month" },
    values: { ":zero": 0, ":month": month },
  });
  return item === undefined ? undefined : toControl(item);
};

/** How long this version waits before it spreads events over partitions, where running earlier versions cannot find them. */
const SPREAD_AFTER_MS = HOUR_MS;

const IS_ANOTHER = "(attribute_not_exists(#last) OR #last <> :request)";
/** The conditions for admitting an event that do not depend on the time. */
const ADMISSIBLE = `contains(hashes, :hash) AND ${IS_ANOTHER} AND #month = :month AND used < #limit AND #rate = :rate AND burst = :burst`;
const ADMIT = "SET seq = seq + :one, used = used + :one, #last = :request, spread = if_not_exists(spread, :spread)";

type PagePeriods = Pick<Control, "loud" | "seq">;

/**
 * Guesses, without a read, that an earlier event has arrived in the current ten-minute period of the page limit. If the guess is
 * wrong, the conditional write fails and returns the stored state.
 */
const guessPagePeriod = (now: number): PagePeriods => ({
  seq: 0,
  loud: { limit: null, slot: computePageLimitSlot(now), began: 0, before: 0 },
});

/** Returns the parts of a DynamoDB update that begin a new ten-minute period of the page limit, if the last is over at `now`. */
const buildPagePeriodUpdate = ({ loud, seq }: PagePeriods, now: number) => {
  const { slot } = loud;
  const next = updatePageLimitState(loud, seq, now);
  const condition = slot < 0 ? "attribute_not_exists(ten)" : "ten = :ten";
  const seen = slot < 0 ? {} : { ":ten": slot };
  if (next === loud) return { sets: "", condition, values: seen };
  const before = next.slot === slot + 1 && slot >= 0 ? "tenBegan" : "seq";
  return {
    sets: `, ten = :nextTen, tenBegan = seq, tenBefore = ${before}`,
    condition,
    values: { ...seen, ":nextTen": next.slot },
  };
};

/** Returns the write that admits an event at `now`, if the control item still has the state `seen`. */
const toAdmissionWrite = (seen: Control, hash: Uint8Array, requestId: string, now: number) => {
  const { plan, month, tat } = seen;
  const turn = buildPagePeriodUpdate(seen, now);
  const admissible = `${ADMISSIBLE} AND ${turn.condition}`;
  const nowMicros = now * 1000;
  const step = computeEventIntervalMicros(plan);
  const earliest = nowMicros - Math.floor(LAG_SHARE * plan.burst * step);
  const names = { "#last": "last", "#rate": "rate", "#month": "month", "#limit": "limit" };
  const values = {
    ":one": 1,
    ":request": requestId,
    ":hash": hash,
    ":rate": plan.eventsPerMinute,
    ":burst": plan.burst,
    ":month": month,
    ":spread": now + SPREAD_AFTER_MS,
    ...turn.values,
  };
  return tat >= earliest
    ? {
        update: `${ADMIT}, tat = tat + :step${turn.sets}`,
        condition: `${admissible} AND tat BETWEEN :earliest AND :latest`,
        names,
        values: { ...values, ":step": step, ":earliest": earliest, ":latest": computeMaxAdmittedTat(plan, now) },
      }
    : {
        update: `${ADMIT}, tat = :next${turn.sets}`,
        condition: `${admissible} AND tat < :now`,
        names,
        values: { ...values, ":now": nowMicros, ":next": nowMicros + step },
      };
};

/** Admits an event by one write, or two if the guess of the control item is wrong. A month's first event needs another write. */
export const admitEvent = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  hash: Uint8Array,
  requestId: string,
  guess: Control,
): Promise<Admission> => {
  let seen: Control | undefined = guess;
  for (let round = 0; round < ADMIT_TRIES; round += 1) {
    const now = deps.now();
    const thisMonth = formatUtcMonth(toIso(now));
    if (seen.month < thisMonth) seen = await startMonth(deps, ws, thisMonth);
    if (seen === undefined) return { kind: "bad_key" };
    const result = await updateItem(deps, controlKey(ws), ControlItem, toAdmissionWrite(seen, hash, requestId, now));
    if (result.kind === "done") return { kind: "admitted", control: toControl(result.item) };
    if (result.item === undefined || !isKeyAllowed(result.item, hash)) return { kind: "bad_key" };
    seen = toControl(result.item);
    if (result.item.last === requestId) return { kind: "admitted", control: seen };
    if (seen.month >= thisMonth && seen.used >= seen.plan.monthlyEvents) return { kind: "over_quota", control: seen };
    if (seen.tat > computeMaxAdmittedTat(seen.plan, now)) return { kind: "over_rate", control: seen };
  }
  return { kind: "contended" };
};

/** Admits the service's own event, without rate and quota: a sender that uses up the quota must not stop heartbeat events. */
export const admitOwnEvent = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  requestId: string,
  counter: "seq" | "probes",
): Promise<Extract<Admission, { kind: "admitted" | "bad_key" | "contended" }>> => {
  let seen = guessPagePeriod(deps.now());
  for (let round = 0; round < ADMIT_TRIES; round += 1) {
    const turn = buildPagePeriodUpdate(seen, deps.now());
    const result = await updateItem(deps, controlKey(ws), ControlItem, {
      update: `SET #last = :request${turn.sets} ADD ${counter} :one`,
      condition: `attribute_exists(pk) AND ${IS_ANOTHER} AND ${turn.condition}`,
      names: { "#last": "last" },
      values: { ":one": 1, ":request": requestId, ...turn.values },
    });
    if (result.item === undefined) return { kind: "bad_key" };
    const control = toControl(result.item);
    // If the control item names this request, the SDK has repeated a successful write.
    if (result.kind === "done" || result.item.last === requestId) return { kind: "admitted", control };
    seen = control;
  }
  return { kind: "contended" };
};

/** Refunds the quota of a request that created no event, unless the month is over. */
export const refundEvent = async (deps: TableDeps, ws: WorkspaceId, month: string): Promise<void> => {
  await updateItem(deps, controlKey(ws), ControlItem, {
    update: "SET used = used - :one",
    condition: "#month = :month AND used > :zero",
    names: { "#month": "month" },
    values: { ":one": 1, ":month": month, ":zero": 0 },
  });
};
