import type { TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { Workspace } from "../../domain/workspace/workspace.ts";
import { workspaceKey } from "../keys.ts";
import { getItem } from "../table.ts";

export const readWorkspace = (deps: TableDeps, ws: WorkspaceId): Promise<Workspace | undefined> =>
  getItem(deps, workspaceKey(ws), Workspace);
