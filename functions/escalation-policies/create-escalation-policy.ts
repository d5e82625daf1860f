import type { Deps } from "../../core/deps.ts";
import { EscalationPolicyInput } from "../../core/domain/escalation/escalation-policy.ts";
import { createPolicy } from "../../core/flow/write-policy.ts";
import { liveDeps } from "../../core/live.ts";
import { requireMember } from "../http/auth.ts";
import { readBody } from "../http/body.ts";
import { route } from "../http/route.ts";

export const createEscalationPolicy = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const input = readBody(EscalationPolicyInput, request);
    return { status: 201, body: await createPolicy(deps, workspaceId, input) };
  });

export const handler = createEscalationPolicy(liveDeps());
