import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as groups from "../../core/store/groups.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";

export const listGroups = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .handler(async ({ workspaceId }) => ok(await groups.listGroups(deps, workspaceId)));

export const handler = listGroups(liveDeps());
