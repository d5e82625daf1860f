import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import { deleteRule } from "../../core/store/rules.ts";
import { deleted } from "../http/found.ts";
import { endpoint } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { expectedVersions } from "../http/conditional.ts";
import { pathId } from "../http/path.ts";

export const deleteRoutingRule = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("rule", "ruleId"))
    .handler(async (request) => {
      const { workspaceId, ruleId } = request;
      return deleted(await deleteRule(asCaller(deps, request), workspaceId, ruleId, expectedVersions(request)), "rule");
    });

export const handler = deleteRoutingRule(liveDeps());
