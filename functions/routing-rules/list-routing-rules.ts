import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import { listRules } from "../../core/store/rules.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";

export const listRoutingRules = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .handler(async ({ workspaceId }) => ok(await listRules(deps, workspaceId)));

export const handler = listRoutingRules(liveDeps());
