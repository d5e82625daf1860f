import type { Deps } from "../../core/deps.ts";
import { EscalationPolicyPatch } from "../../core/domain/escalation/escalation-policy.ts";
import { updatePolicy } from "../../core/flow/admin/write-policy.ts";
import { withAuthor } from "../../core/flow/read/authors.ts";
import { liveDeps } from "../../core/live.ts";
import { found } from "../http/found.ts";
import { readPolicy } from "../../core/store/escalation-policies.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { expectedVersions, readChange, tagged } from "../http/conditional.ts";
import { pathId } from "../http/path.ts";

export const updateEscalationPolicy = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("pol", "policyId"))
    .handler(async (request) => {
      const { workspaceId, policyId } = request;
      const before = found(await readPolicy(deps, workspaceId, policyId), "pol");
      const patch = readChange(request, EscalationPolicyPatch, before, { derived: ["warnings"] });
      const policy = found(
        await updatePolicy(asCaller(deps, request), workspaceId, policyId, patch, expectedVersions(request)),
        "pol",
      );
      return tagged(ok(await withAuthor(deps, workspaceId, policy)), policy);
    });

export const handler = updateEscalationPolicy(liveDeps());
