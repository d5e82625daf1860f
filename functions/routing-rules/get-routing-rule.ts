import type { Deps } from "../../core/deps.ts";
import { readRule } from "../../core/flow/read/read-rules.ts";
import { withAuthor } from "../../core/flow/read/authors.ts";
import { liveDeps } from "../../core/live.ts";
import { found } from "../http/found.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { tagged } from "../http/conditional.ts";
import { pathId } from "../http/path.ts";

export const getRoutingRule = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("rule", "ruleId"))
    .handler(async ({ workspaceId, ruleId }) => {
      const rule = found(await readRule(deps, workspaceId, ruleId), "rule");
      return tagged(ok(await withAuthor(deps, workspaceId, rule)), rule);
    });

export const handler = getRoutingRule(liveDeps());
