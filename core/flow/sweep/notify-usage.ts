import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { toIso } from "../../domain/basics/time.ts";
import { findQuotaLevel } from "../../domain/event/notices.ts";
import type { Control } from "../../domain/workspace/control.ts";
import { formatUtcMonth } from "../../domain/workspace/usage-plan.ts";
import { notifyOfQuota, type IngestDeps } from "../ingest/ingest-event.ts";

/** Notifies the owners of the reached quota level, because the event that reached the level may not have notified them. */
export const notifyOfUsage = async (deps: IngestDeps, ws: WorkspaceId, control: Control): Promise<void> => {
  const level = control.month === formatUtcMonth(toIso(deps.now())) ? findQuotaLevel(control) : undefined;
  if (level !== undefined) await notifyOfQuota(deps, ws, control, level);
};
