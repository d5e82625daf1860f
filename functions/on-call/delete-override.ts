import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as onCall from "../../core/store/on-call.ts";
import { requireMember } from "../http/auth.ts";
import { deleted } from "../http/found.ts";
import { pathId } from "../http/path.ts";
import { route } from "../http/route.ts";

export const deleteOverride = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const groupId = pathId("grp", request, "groupId");
    const id = pathId("ovr", request, "overrideId");
    return deleted(await onCall.deleteOverride(deps, workspaceId, groupId, id), "ovr");
  });

export const handler = deleteOverride(liveDeps());
