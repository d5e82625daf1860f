import type { Deps } from "../../core/deps.ts";
import { whoIsOnCall } from "../../core/flow/read/who-is-on-call.ts";
import { liveDeps } from "../../core/live.ts";
import { readInstant } from "../http/query.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { pathId } from "../http/path.ts";

export const getOnCallNow = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps, "at"))
    .use(pathId("grp", "groupId"))
    .handler(async (request) => {
      const { workspaceId, groupId } = request;
      const at = readInstant(request, "at") ?? deps.now();
      return ok(await whoIsOnCall(deps, workspaceId, groupId, at));
    });

export const handler = getOnCallNow(liveDeps());
