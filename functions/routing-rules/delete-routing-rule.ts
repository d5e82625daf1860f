import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import { deleteRule } from "../../core/store/rules.ts";
import { requireMember } from "../http/auth.ts";
import { deleted } from "../http/found.ts";
import { pathId } from "../http/path.ts";
import { route } from "../http/route.ts";

export const deleteRoutingRule = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const id = pathId("rule", request, "ruleId");
    return deleted(await deleteRule(deps, workspaceId, id), "rule");
  });

export const handler = deleteRoutingRule(liveDeps());
