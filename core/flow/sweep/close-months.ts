import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { toIso } from "../../domain/basics/time.ts";
import { DAY_MS } from "../../domain/basics/units.ts";
import { canStoreMonthReport, listMonths } from "../../domain/shifts/report.ts";
import { isMonthClosed } from "../../store/schedules/closed-months.ts";
import { readWorkspace } from "../../store/people/read-workspace.ts";
import { closeMonths, type ReportDeps } from "../read/on-call-report.ts";

/** How long after a month's end its report can still be stored for good (closed). */
const BACK_MS = 45 * DAY_MS;

/** Stores the last month's report for good, unless the month precedes the workspace, whose schedules may not be stored yet. */
export const closeLastMonth = async (deps: ReportDeps, ws: WorkspaceId): Promise<void> => {
  const now = deps.now();
  const last = listMonths({ from: now - BACK_MS, to: now }).findLast((month) => canStoreMonthReport(month, now));
  if (last === undefined || (await isMonthClosed(deps, ws, last.month))) return;
  const workspace = await readWorkspace(deps, ws);
  if (workspace !== undefined && workspace.createdAt < toIso(last.to)) await closeMonths(deps, ws, [last]);
};
