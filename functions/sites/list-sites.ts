import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as sites from "../../core/store/sites.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";

export const listSites = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .handler(async ({ workspaceId }) => ok(await sites.listSites(deps, workspaceId)));

export const handler = listSites(liveDeps());
