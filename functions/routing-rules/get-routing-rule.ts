import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import { readRule } from "../../core/store/rules.ts";
import { found } from "../http/found.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { pathId } from "../http/path.ts";

export const getRoutingRule = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("rule", "ruleId"))
    .handler(async ({ workspaceId, ruleId }) => ok(found(await readRule(deps, workspaceId, ruleId), "rule")));

export const handler = getRoutingRule(liveDeps());
