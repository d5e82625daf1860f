import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import { listPolicies } from "../../core/store/escalation-policies.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";

export const listEscalationPolicies = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .handler(async ({ workspaceId }) => ok(await listPolicies(deps, workspaceId)));

export const handler = listEscalationPolicies(liveDeps());
