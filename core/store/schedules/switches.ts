import type { AuditDeps, TableDeps, TimedDeps } from "../../deps.ts";
import { AGAIN, retryChange } from "../../domain/basics/attempt.ts";
import type { DeviceId, WorkspaceId } from "../../domain/basics/ids.ts";
import { REQUEST_MS } from "../../domain/basics/limits.ts";
import { isDeepEqual } from "../../domain/basics/equality.ts";
import { Switch, type SwitchSettings } from "../../domain/heartbeat/switch.ts";
import { writeRecorded } from "../configuration/audit-trail.ts";
import { switchKey } from "../keys.ts";
import { putDueCheck } from "./reachability-checks.ts";
import { deleteWrite, getItem, putWrite, updateItem, type WriteResult } from "../table.ts";

/* Stores the dead man's switch of a workspace, and the progress of its last rounds. */

export const readSwitch = (deps: TableDeps, ws: WorkspaceId): Promise<Switch | undefined> =>
  getItem(deps, switchKey(ws), Switch);

const pickSwitchSettings = ({ url, everyMinutes, deviceId, userId }: SwitchSettings): SwitchSettings => ({
  url,
  everyMinutes,
  deviceId,
  userId,
});

/** Returns a switch for the audit trail. Shows only the URL's host, because anybody who knows the URL can call it. */
const toAuditedSwitch = (settings: SwitchSettings | undefined) => {
  if (settings === undefined) return { switch: null };
  const { url, ...shown } = pickSwitchSettings(settings);
  return { switch: { ...shown, host: new URL(url).host } };
};

/** Writes a change with its audit entry, unless somebody else has changed the switch meanwhile. */
const writeSwitch = async (deps: AuditDeps, ws: WorkspaceId, before: Switch | undefined, after: Switch | undefined) => {
  const isUnchanged = before === undefined ? {} : { condition: "setAt = :before", values: { ":before": before.setAt } };
  const write =
    after === undefined
      ? deleteWrite(deps, switchKey(ws), isUnchanged)
      : putWrite(deps, switchKey(ws), after, isUnchanged);
  const target = { kind: "workspace", id: ws } as const;
  const change = { action: "updated", target, before: toAuditedSwitch(before), after: toAuditedSwitch(after) } as const;
  return (await writeRecorded(deps, ws, change, write)).kind === "done";
};

/** Stores the settings of a switch. With new settings, earlier test events no longer count. */
export const setSwitch = (deps: AuditDeps, ws: WorkspaceId, settings: SwitchSettings): Promise<Switch> =>
  retryChange({ item: `the switch of ${ws}` }, async () => {
    const before = await readSwitch(deps, ws);
    if (before !== undefined && isDeepEqual(pickSwitchSettings(before), settings)) return before;
    const after = { ...settings, setAt: Math.max(deps.now(), (before?.setAt ?? 0) + 1) };
    // The workspace's next check is scheduled before the switch is stored, so that every switch has a scheduled check.
    await putDueCheck(deps, { ws, due: deps.now() + REQUEST_MS });
    return (await writeSwitch(deps, ws, before, after)) ? after : AGAIN;
  });

/** Removes the switch of a workspace. Returns false if the workspace had no switch. */
export const removeSwitch = (deps: AuditDeps, ws: WorkspaceId): Promise<boolean> =>
  retryChange({ item: `the switch of ${ws}` }, async () => {
    const before = await readSwitch(deps, ws);
    if (before === undefined) return false;
    return (await writeSwitch(deps, ws, before, undefined)) ? true : AGAIN;
  });

/** Stores the progress of a test event (`round`), if the test event belongs to the switch's current settings. */
const updateTestEvent = (
  deps: TimedDeps,
  ws: WorkspaceId,
  round: number,
  update: string,
  { condition = "", values = {} }: { condition?: string; values?: Record<string, unknown> } = {},
): Promise<WriteResult<Switch>> =>
  updateItem(deps, switchKey(ws), Switch, {
    update,
    condition: `setAt <= :round${condition}`,
    values: { ":round": round, ...values },
  });

export const setTestEventBegun = (deps: TimedDeps, ws: WorkspaceId, round: number): Promise<unknown> =>
  updateTestEvent(deps, ws, round, "SET begunRound = :round");

/** Stores that the switch's device has confirmed a test event (`round`). Returns whether no later test event is confirmed. */
export const setTestEventConfirmed = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  round: number,
  deviceId: DeviceId,
): Promise<boolean> => {
  const { item } = await updateTestEvent(deps, ws, round, "SET confirmedRound = :round, confirmedAt = :now", {
    condition: " AND deviceId = :device AND (attribute_not_exists(confirmedRound) OR confirmedRound < :round)",
    values: { ":device": deviceId, ":now": deps.now() },
  });
  return item?.confirmedRound === round;
};

/** Claims the right to call the switch's URL for a confirmed test event (`round`). Only one of several claims returns true. */
export const claimCall = async (deps: TimedDeps, ws: WorkspaceId, round: number): Promise<boolean> => {
  const { kind } = await updateTestEvent(deps, ws, round, "SET calledRound = :round", {
    condition: " AND confirmedRound = :round AND (attribute_not_exists(calledRound) OR calledRound < :round)",
  });
  return kind === "done";
};

export const setTestEventAnswered = (deps: TimedDeps, ws: WorkspaceId, round: number): Promise<unknown> =>
  updateTestEvent(deps, ws, round, "SET answeredAt = :now", { values: { ":now": deps.now() } });

export const setTestEventFailure = (deps: TimedDeps, ws: WorkspaceId, round: number, code: string): Promise<unknown> =>
  updateTestEvent(deps, ws, round, "SET failure = :failure", { values: { ":failure": { at: deps.now(), code } } });
