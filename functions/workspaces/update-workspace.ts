import type { Deps } from "../../core/deps.ts";
import { WorkspacePatch } from "../../core/domain/people/workspace.ts";
import { liveDeps } from "../../core/live.ts";
import * as workspaces from "../../core/store/workspaces.ts";
import { found } from "../http/found.ts";
import { body } from "../http/body.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";

export const updateWorkspace = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(WorkspacePatch))
    .handler(async ({ workspaceId, body: patch }) =>
      ok(found(await workspaces.updateWorkspace(deps, workspaceId, patch), "ws")),
    );

export const handler = updateWorkspace(liveDeps());
