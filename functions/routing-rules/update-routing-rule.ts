import type { Deps } from "../../core/deps.ts";
import { RulePatch } from "../../core/domain/rules/routing-rule.ts";
import { updateRule } from "../../core/flow/write-rule.ts";
import { liveDeps } from "../../core/live.ts";
import { requireMember } from "../http/auth.ts";
import { readBody } from "../http/body.ts";
import { found } from "../http/found.ts";
import { pathId } from "../http/path.ts";
import { route } from "../http/route.ts";

export const updateRoutingRule = (deps: Pick<Deps, "table" | "now" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const id = pathId("rule", request, "ruleId");
    const patch = readBody(RulePatch, request);
    return { status: 200, body: found(await updateRule(deps, workspaceId, id, patch), "rule") };
  });

export const handler = updateRoutingRule(liveDeps());
