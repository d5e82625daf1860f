import type { Deps } from "../../core/deps.ts";
import { deletePolicy } from "../../core/flow/admin/write-policy.ts";
import { liveDeps } from "../../core/live.ts";
import { deleted } from "../http/found.ts";
import { endpoint } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { expectedVersions } from "../http/conditional.ts";
import { pathId } from "../http/path.ts";
import { readForce } from "../http/query.ts";

export const deleteEscalationPolicy = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("pol", "policyId"))
    .handler(async (request) => {
      const { workspaceId, policyId } = request;
      const how = { force: readForce(request), expected: expectedVersions(request) };
      return deleted(await deletePolicy(asCaller(deps, request), workspaceId, policyId, how), "pol");
    });

export const handler = deleteEscalationPolicy(liveDeps());
