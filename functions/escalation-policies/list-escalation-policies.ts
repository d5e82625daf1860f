import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import { listPolicies } from "../../core/store/escalation-policies.ts";
import { requireMember } from "../http/auth.ts";
import { route } from "../http/route.ts";

export const listEscalationPolicies = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    return { status: 200, body: await listPolicies(deps, workspaceId) };
  });

export const handler = listEscalationPolicies(liveDeps());
