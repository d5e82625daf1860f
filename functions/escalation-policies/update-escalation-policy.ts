import type { Deps } from "../../core/deps.ts";
import { EscalationPolicyPatch } from "../../core/domain/escalation/escalation-policy.ts";
import { updatePolicy } from "../../core/flow/admin/write-policy.ts";
import { liveDeps } from "../../core/live.ts";
import { found } from "../http/found.ts";
import { body } from "../http/body.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { pathId } from "../http/path.ts";

export const updateEscalationPolicy = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("pol", "policyId"))
    .use(body(EscalationPolicyPatch))
    .handler(async ({ workspaceId, policyId, body: patch }) =>
      ok(found(await updatePolicy(deps, workspaceId, policyId, patch), "pol")),
    );

export const handler = updateEscalationPolicy(liveDeps());
