import type { Deps } from "../../core/deps.ts";
import { RuleInput } from "../../core/domain/rules/rule-input.ts";
import { createRule } from "../../core/flow/admin/write-rule.ts";
import { liveDeps } from "../../core/live.ts";
import { body } from "../http/body.ts";
import { created, endpoint } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";

export const createRoutingRule = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(RuleInput))
    .handler(async ({ workspaceId, body: input }) => created(await createRule(deps, workspaceId, input)));

export const handler = createRoutingRule(liveDeps());
