import type { Deps } from "../../core/deps.ts";
import { listRules } from "../../core/flow/read/read-rules.ts";
import { withAuthors } from "../../core/flow/read/authors.ts";
import { liveDeps } from "../../core/live.ts";
import { endpoint } from "../http/endpoint.ts";
import { listed } from "../http/pages.ts";
import { member } from "../http/auth.ts";

export const listRoutingRules = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps, "after"))
    .handler(async (request) => {
      const { workspaceId } = request;
      const rules = await withAuthors(deps, workspaceId, await listRules(deps, workspaceId));
      return listed(request, rules, ({ id }) => id);
    });

export const handler = listRoutingRules(liveDeps());
