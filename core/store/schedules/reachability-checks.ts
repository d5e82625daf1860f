import * as v from "valibot";
import type { TableDeps, TimedDeps } from "../../deps.ts";
import { WorkspaceId } from "../../domain/basics/ids.ts";
import { ReachabilityCheck } from "../../domain/shifts/reachability-check.ts";
import { DAY_MS } from "../../domain/basics/units.ts";
import { toTtl } from "../claims.ts";
import { createDueLister } from "../due-lister.ts";
import { dueCheckKey, dueChecksPk, reachabilityChecksPk, reachabilityCheckKey } from "../keys.ts";
import { deleteItem, putItem, putItemIf, queryItems, updateItem } from "../table.ts";

/* Checks are stored per shift. If a workspace has checks, the next check's time is in a partition that the sweeper reads. */

/** The next check of a workspace's shifts, probes, dead man's switch and shadow. `due`: the check's time, in ms. */
const DueCheckItem = v.object({ ws: WorkspaceId, due: v.number() });
export type DueCheck = v.InferOutput<typeof DueCheckItem>;

export const putDueCheck = (deps: TableDeps, check: DueCheck): Promise<void> =>
  putItem(deps, dueCheckKey(check.due, check.ws), check);

export const removeDueCheck = (deps: TableDeps, { due, ws }: DueCheck): Promise<void> =>
  deleteItem(deps, dueCheckKey(due, ws));

export const listDueChecks = /* @__PURE__ */ createDueLister(dueChecksPk, DueCheckItem);

/** Lists the checks, sorted by shift. */
export const listReachabilityChecks = (
  deps: TableDeps,
  ws: WorkspaceId,
  { consistent = true }: { consistent?: boolean } = {},
): Promise<ReachabilityCheck[]> =>
  queryItems(deps, { pk: reachabilityChecksPk(ws) }, ReachabilityCheck, { consistent });

/** How long a check is stored: longer than any shift lasts. */
const KEPT_MS = 400 * DAY_MS;

export const putReachabilityCheck = async (
  deps: TableDeps,
  ws: WorkspaceId,
  check: ReachabilityCheck,
): Promise<void> => {
  await putItemIf(
    deps,
    reachabilityCheckKey(ws, check),
    { ...check, ttl: toTtl(check.start + KEPT_MS) },
    ReachabilityCheck,
  );
};

export const removeReachabilityCheck = (deps: TableDeps, ws: WorkspaceId, check: ReachabilityCheck): Promise<void> =>
  deleteItem(deps, reachabilityCheckKey(ws, check));

/** Stores that a check has tried one more channel. If two calls run concurrently, only one call has an effect. */
export const setCheckAsked = async (deps: TableDeps, ws: WorkspaceId, check: ReachabilityCheck): Promise<void> => {
  await updateItem(deps, reachabilityCheckKey(ws, check), ReachabilityCheck, {
    update: "SET asked = :next",
    condition: "asked = :asked",
    values: { ":asked": check.asked, ":next": check.asked + 1 },
  });
};

/** Stores that the person has confirmed a reachability check. */
export const setCheckProven = async (deps: TimedDeps, ws: WorkspaceId, check: ReachabilityCheck): Promise<void> => {
  await updateItem(deps, reachabilityCheckKey(ws, check), ReachabilityCheck, {
    update: "SET provenAt = :now",
    condition: "attribute_exists(asked) AND attribute_not_exists(provenAt)",
    values: { ":now": deps.now() },
  });
};

/** Stores that people were notified because a reachability check was not confirmed. */
export const setCheckNotified = async (deps: TimedDeps, ws: WorkspaceId, check: ReachabilityCheck): Promise<void> => {
  await updateItem(deps, reachabilityCheckKey(ws, check), ReachabilityCheck, {
    update: "SET toldAt = :now",
    condition: "attribute_exists(asked) AND attribute_not_exists(toldAt)",
    values: { ":now": deps.now() },
  });
};
