import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as workspaces from "../../core/store/workspaces.ts";
import { endpoint } from "../http/endpoint.ts";
import { listed } from "../http/pages.ts";
import { session } from "../http/auth.ts";

export const listWorkspaces = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(session("after"))
    .handler(async (request) =>
      listed(request, await workspaces.listWorkspacesOf(deps, request.caller.userId), ({ id }) => id),
    );

export const handler = listWorkspaces(liveDeps());
