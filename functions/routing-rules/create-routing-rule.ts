import type { Deps } from "../../core/deps.ts";
import { RuleInput } from "../../core/domain/rules/rule-input.ts";
import { createRule } from "../../core/flow/admin/write-rule.ts";
import { dearPatternsOf } from "../../core/domain/rules/matching/index.ts";
import { withAuthor } from "../../core/flow/read/authors.ts";
import { liveDeps } from "../../core/live.ts";
import { body } from "../http/body.ts";
import { created, endpoint } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { tagged } from "../http/conditional.ts";

export const createRoutingRule = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(RuleInput, dearPatternsOf))
    .handler(async (request) => {
      const { workspaceId, body: input } = request;
      const rule = await createRule(asCaller(deps, request), workspaceId, input);
      return tagged(created(await withAuthor(deps, workspaceId, rule)), rule);
    });

export const handler = createRoutingRule(liveDeps());
