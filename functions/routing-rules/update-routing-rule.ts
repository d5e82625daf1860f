import type { Deps } from "../../core/deps.ts";
import { RulePatch, withoutRepeated } from "../../core/domain/rules/rule-input.ts";
import { updateRule } from "../../core/flow/admin/write-rule.ts";
import { liveDeps } from "../../core/live.ts";
import { readRule } from "../../core/store/rules.ts";
import { found } from "../http/found.ts";
import { readJson, readValue } from "../http/body.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { pathId } from "../http/path.ts";

export const updateRoutingRule = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("rule", "ruleId"))
    .handler(async (request) => {
      const { workspaceId, ruleId } = request;
      const change = readJson(request);
      const rule = await readRule(deps, workspaceId, ruleId);
      const patch = readValue(RulePatch, rule === undefined ? change : withoutRepeated(change, rule));
      return ok(found(await updateRule(deps, workspaceId, ruleId, patch), "rule"));
    });

export const handler = updateRoutingRule(liveDeps());
