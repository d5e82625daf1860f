import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as groups from "../../core/store/groups.ts";
import { requireMember } from "../http/auth.ts";
import { route } from "../http/route.ts";

export const listGroups = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    return { status: 200, body: await groups.listGroups(deps, workspaceId) };
  });

export const handler = listGroups(liveDeps());
