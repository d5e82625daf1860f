import type { Deps } from "../../core/deps.ts";
import { withAuthor } from "../../core/flow/read/authors.ts";
import { liveDeps } from "../../core/live.ts";
import { readPolicy } from "../../core/store/escalation-policies.ts";
import { found } from "../http/found.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { tagged } from "../http/conditional.ts";
import { pathId } from "../http/path.ts";

export const getEscalationPolicy = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("pol", "policyId"))
    .handler(async ({ workspaceId, policyId }) => {
      const policy = found(await readPolicy(deps, workspaceId, policyId), "pol");
      return tagged(ok(await withAuthor(deps, workspaceId, policy)), policy);
    });

export const handler = getEscalationPolicy(liveDeps());
