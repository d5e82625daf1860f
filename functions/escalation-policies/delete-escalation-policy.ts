import type { Deps } from "../../core/deps.ts";
import { deletePolicy } from "../../core/flow/write-policy.ts";
import { liveDeps } from "../../core/live.ts";
import { requireMember } from "../http/auth.ts";
import { deleted } from "../http/found.ts";
import { pathId } from "../http/path.ts";
import { route } from "../http/route.ts";

/** A header has no room for very many. */
const RULES_NAMED = 20;

export const deleteEscalationPolicy = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const id = pathId("pol", request, "policyId");
    const { wasThere, usedBy } = await deletePolicy(deps, workspaceId, id);
    const warning =
      usedBy.length === 0
        ? {}
        : { headers: { "X-Warning": `policy_in_use; rules=${usedBy.slice(0, RULES_NAMED).join(",")}` } };
    return { ...deleted(wasThere, "pol"), ...warning };
  });

export const handler = deleteEscalationPolicy(liveDeps());
