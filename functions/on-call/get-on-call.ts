import type { Deps } from "../../core/deps.ts";
import { readOnCall } from "../../core/flow/write-on-call.ts";
import { liveDeps } from "../../core/live.ts";
import { requireMember } from "../http/auth.ts";
import { pathId } from "../http/path.ts";
import { route } from "../http/route.ts";

export const getOnCall = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const groupId = pathId("grp", request, "groupId");
    return { status: 200, body: await readOnCall(deps, workspaceId, groupId) };
  });

export const handler = getOnCall(liveDeps());
