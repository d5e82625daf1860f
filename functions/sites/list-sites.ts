import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as sites from "../../core/store/sites.ts";
import { endpoint } from "../http/endpoint.ts";
import { listed } from "../http/pages.ts";
import { member } from "../http/auth.ts";

export const listSites = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps, "after"))
    .handler(async (request) => listed(request, await sites.listSites(deps, request.workspaceId), ({ site }) => site));

export const handler = listSites(liveDeps());
