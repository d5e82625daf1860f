import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { toIso } from "../../domain/basics/time.ts";
import { quotaLevel, shadowNotice } from "../../domain/event/notices.ts";
import type { Control } from "../../domain/workspace/control.ts";
import { monthOf } from "../../domain/workspace/usage-plan.ts";
import { createOwnIngest, notifyOfQuota, type IngestDeps } from "../ingest/ingest-event.ts";

/**
 * Notifies the owners of how much of this month's quota is used, if that was not done when an event reached
 * the level: its request may have died, or the plan was lowered.
 */
export const notifyOfUsage = async (deps: IngestDeps, ws: WorkspaceId, control: Control): Promise<void> => {
  const level = control.month === monthOf(toIso(deps.now())) ? quotaLevel(control) : undefined;
  if (level !== undefined) await notifyOfQuota(deps, ws, control, level);
};

/** Notifies the owners that the shadow of their workspace ends soon. */
export const notifyOfShadow = async (
  deps: IngestDeps,
  ws: WorkspaceId,
  { shadowUntil = 0 }: Control,
): Promise<void> => {
  const notice = shadowNotice(shadowUntil, deps.now());
  if (notice !== undefined) await createOwnIngest(deps)({ workspaceId: ws, ...notice });
};
