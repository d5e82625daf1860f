import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as workspaces from "../../core/store/workspaces.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { session } from "../http/auth.ts";

export const listWorkspaces = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(session())
    .handler(async ({ caller }) => ok(await workspaces.listWorkspacesOf(deps, caller.userId)));

export const handler = listWorkspaces(liveDeps());
