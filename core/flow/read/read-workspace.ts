import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { toWorkspaceView, type Workspace, type WorkspaceView } from "../../domain/workspace/workspace.ts";
import { readControl } from "../../store/events/control.ts";
import { readWorkspace } from "../../store/people/read-workspace.ts";

export const buildWorkspaceView = async (deps: TimedDeps, workspace: Workspace): Promise<WorkspaceView> => {
  const control = await readControl(deps, workspace.id);
  if (control === undefined) throw new Error(`workspace ${workspace.id} has no control item`);
  return toWorkspaceView(workspace, control, deps.now());
};

export const readWorkspaceView = async (deps: TimedDeps, ws: WorkspaceId): Promise<WorkspaceView | undefined> => {
  const workspace = await readWorkspace(deps, ws);
  return workspace === undefined ? undefined : buildWorkspaceView(deps, workspace);
};
