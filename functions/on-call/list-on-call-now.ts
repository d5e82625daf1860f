import type { Deps } from "../../core/deps.ts";
import { whoIsOnCallEverywhere } from "../../core/flow/read/who-is-on-call.ts";
import { liveDeps } from "../../core/live.ts";
import { member } from "../http/auth.ts";
import { endpoint } from "../http/endpoint.ts";
import { listed } from "../http/pages.ts";
import { readInstant } from "../http/query.ts";

export const listOnCallNow = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps, "at", "after"))
    .handler(async (request) => {
      const at = readInstant(request, "at") ?? deps.now();
      return listed(request, await whoIsOnCallEverywhere(deps, request.workspaceId, at), ({ groupId }) => groupId);
    });

export const handler = listOnCallNow(liveDeps());
