import type { Deps } from "../../core/deps.ts";
import { deletePolicy } from "../../core/flow/admin/write-policy.ts";
import { liveDeps } from "../../core/live.ts";
import { deleted } from "../http/found.ts";
import { endpoint } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { pathId } from "../http/path.ts";

/** At most this many rules are named, because a header has little room. */
const RULES_NAMED = 20;

export const deleteEscalationPolicy = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("pol", "policyId"))
    .handler(async ({ workspaceId, policyId }) => {
      const { wasThere, usedBy } = await deletePolicy(deps, workspaceId, policyId);
      const warning =
        usedBy.length === 0
          ? {}
          : { headers: { "X-Warning": `policy_in_use; rules=${usedBy.slice(0, RULES_NAMED).join(",")}` } };
      return { ...deleted(wasThere, "pol"), ...warning };
    });

export const handler = deleteEscalationPolicy(liveDeps());
