import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { fromIso } from "../../domain/basics/time.ts";
import { computeMondayOfWeek, type Addition } from "../../domain/statistics/statistics.ts";
import { mayBePastRetention, computeFirstShownTime } from "../../domain/workspace/retention.ts";
import { readControl } from "../../store/events/control.ts";
import { listStatisticsRows, type SubjectKind } from "../../store/events/statistics.ts";

/** Reads a workspace's statistics, without weeks that are completely past retention. */
export const readStatistics = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  kind: SubjectKind,
  weeks: { from: string; to: string },
): Promise<Addition[]> => {
  const now = deps.now();
  const control = mayBePastRetention(fromIso(weeks.from) ?? 0, now)
    ? await readControl(deps, ws, { consistent: false })
    : undefined;
  const first = control === undefined ? weeks.from : computeMondayOfWeek(computeFirstShownTime(control.retention, now));
  const from = first > weeks.from ? first : weeks.from;
  return from > weeks.to ? [] : listStatisticsRows(deps, ws, kind, { from, to: weeks.to });
};
