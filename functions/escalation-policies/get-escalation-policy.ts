import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import { readPolicy } from "../../core/store/escalation-policies.ts";
import { requireMember } from "../http/auth.ts";
import { found } from "../http/found.ts";
import { pathId } from "../http/path.ts";
import { route } from "../http/route.ts";

export const getEscalationPolicy = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const id = pathId("pol", request, "policyId");
    return { status: 200, body: found(await readPolicy(deps, workspaceId, id), "pol") };
  });

export const handler = getEscalationPolicy(liveDeps());
