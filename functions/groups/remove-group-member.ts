import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as groups from "../../core/store/groups.ts";
import { requireMember } from "../http/auth.ts";
import { deleted } from "../http/found.ts";
import { pathId } from "../http/path.ts";
import { route } from "../http/route.ts";

export const removeGroupMember = (deps: Pick<Deps, "table" | "now" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const id = pathId("grp", request, "groupId");
    const userId = pathId("usr", request, "userId");
    return deleted(await groups.removeGroupMember(deps, workspaceId, id, userId), "usr");
  });

export const handler = removeGroupMember(liveDeps());
