import type { Deps } from "../../core/deps.ts";
import { whoIsOnCall } from "../../core/flow/who-is-on-call.ts";
import { liveDeps } from "../../core/live.ts";
import { requireMember } from "../http/auth.ts";
import { readInstant } from "../http/query.ts";
import { pathId } from "../http/path.ts";
import { route } from "../http/route.ts";

export const getOnCallNow = (deps: Pick<Deps, "table" | "now" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const groupId = pathId("grp", request, "groupId");
    const at = readInstant(request, "at") ?? deps.now();
    return { status: 200, body: await whoIsOnCall(deps, workspaceId, groupId, at) };
  });

export const handler = getOnCallNow(liveDeps());
