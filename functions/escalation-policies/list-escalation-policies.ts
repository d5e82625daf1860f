import type { Deps } from "../../core/deps.ts";
import { withAuthors } from "../../core/flow/read/authors.ts";
import { liveDeps } from "../../core/live.ts";
import { listPolicies } from "../../core/store/escalation-policies.ts";
import { endpoint } from "../http/endpoint.ts";
import { listed } from "../http/pages.ts";
import { member } from "../http/auth.ts";

export const listEscalationPolicies = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps, "after"))
    .handler(async (request) => {
      const { workspaceId } = request;
      const policies = await withAuthors(deps, workspaceId, await listPolicies(deps, workspaceId));
      return listed(request, policies, ({ id }) => id);
    });

export const handler = listEscalationPolicies(liveDeps());
