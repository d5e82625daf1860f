import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import { readWorkspace } from "../../core/store/workspaces.ts";
import { requireMember } from "../http/auth.ts";
import { found } from "../http/found.ts";
import { route } from "../http/route.ts";

export const getWorkspace = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    return { status: 200, body: found(await readWorkspace(deps, workspaceId), "ws") };
  });

export const handler = getWorkspace(liveDeps());
