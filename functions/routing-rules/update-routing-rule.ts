import type { Deps } from "../../core/deps.ts";
import { RulePatch } from "../../core/domain/rules/rule-input.ts";
import { updateRule } from "../../core/flow/admin/write-rule.ts";
import { dearPatternsOf } from "../../core/domain/rules/matching/index.ts";
import { withAuthor } from "../../core/flow/read/authors.ts";
import { liveDeps } from "../../core/live.ts";
import { readRule } from "../../core/store/rules.ts";
import { found } from "../http/found.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { expectedVersions, readChange, tagged } from "../http/conditional.ts";
import { pathId } from "../http/path.ts";

export const updateRoutingRule = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("rule", "ruleId"))
    .handler(async (request) => {
      const { workspaceId, ruleId } = request;
      const before = found(await readRule(deps, workspaceId, ruleId), "rule");
      const patch = readChange(request, RulePatch, before, { derived: ["warnings"], look: dearPatternsOf });
      const rule = found(
        await updateRule(asCaller(deps, request), workspaceId, ruleId, patch, expectedVersions(request)),
        "rule",
      );
      return tagged(ok(await withAuthor(deps, workspaceId, rule)), rule);
    });

export const handler = updateRoutingRule(liveDeps());
