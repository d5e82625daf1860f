import type { Deps } from "../../core/deps.ts";
import { RulePatch } from "../../core/domain/rules/routing-rule.ts";
import { updateRule } from "../../core/flow/write-rule.ts";
import { liveDeps } from "../../core/live.ts";
import { found } from "../http/found.ts";
import { body } from "../http/body.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { pathId } from "../http/path.ts";

export const updateRoutingRule = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("rule", "ruleId"))
    .use(body(RulePatch))
    .handler(async ({ workspaceId, ruleId, body: patch }) =>
      ok(found(await updateRule(deps, workspaceId, ruleId, patch), "rule")),
    );

export const handler = updateRoutingRule(liveDeps());
