import type { Deps } from "../../core/deps.ts";
import { whoIsOnCallEverywhere } from "../../core/flow/who-is-on-call.ts";
import { liveDeps } from "../../core/live.ts";
import { member } from "../http/auth.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { readInstant } from "../http/query.ts";

export const listOnCallNow = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps, "at"))
    .handler(async (request) => {
      const at = readInstant(request, "at") ?? deps.now();
      return ok(await whoIsOnCallEverywhere(deps, request.workspaceId, at));
    });

export const handler = listOnCallNow(liveDeps());
