import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as workspaces from "../../core/store/workspaces.ts";
import { requireSession } from "../http/auth.ts";
import { route } from "../http/route.ts";

export const listWorkspaces = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { userId } = requireSession(request);
    return { status: 200, body: await workspaces.listWorkspacesOf(deps, userId) };
  });

export const handler = listWorkspaces(liveDeps());
