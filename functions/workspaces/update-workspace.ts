import type { Deps } from "../../core/deps.ts";
import { WorkspacePatch } from "../../core/domain/people/workspace.ts";
import { liveDeps } from "../../core/live.ts";
import * as workspaces from "../../core/store/workspaces.ts";
import { requireMember } from "../http/auth.ts";
import { readBody } from "../http/body.ts";
import { found } from "../http/found.ts";
import { route } from "../http/route.ts";

export const updateWorkspace = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const patch = readBody(WorkspacePatch, request);
    return { status: 200, body: found(await workspaces.updateWorkspace(deps, workspaceId, patch), "ws") };
  });

export const handler = updateWorkspace(liveDeps());
