import type { Deps } from "../../core/deps.ts";
import { EscalationPolicyPatch } from "../../core/domain/escalation/escalation-policy.ts";
import { updatePolicy } from "../../core/flow/write-policy.ts";
import { liveDeps } from "../../core/live.ts";
import { requireMember } from "../http/auth.ts";
import { readBody } from "../http/body.ts";
import { found } from "../http/found.ts";
import { pathId } from "../http/path.ts";
import { route } from "../http/route.ts";

export const updateEscalationPolicy = (deps: Pick<Deps, "table" | "now" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const id = pathId("pol", request, "policyId");
    const patch = readBody(EscalationPolicyPatch, request);
    return { status: 200, body: found(await updatePolicy(deps, workspaceId, id, patch), "pol") };
  });

export const handler = updateEscalationPolicy(liveDeps());
