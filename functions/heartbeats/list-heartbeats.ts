import type { Deps } from "../../core/deps.ts";
import { toHeartbeatView } from "../../core/domain/heartbeat/heartbeat.ts";
import { withAuthors } from "../../core/flow/read/authors.ts";
import { liveDeps } from "../../core/live.ts";
import * as heartbeats from "../../core/store/heartbeats.ts";
import { endpoint } from "../http/endpoint.ts";
import { listed } from "../http/pages.ts";
import { member } from "../http/auth.ts";

export const listHeartbeats = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps, "after"))
    .handler(async (request) => {
      const all = await heartbeats.listHeartbeats(deps, request.workspaceId);
      const views = all.map((heartbeat) => toHeartbeatView(heartbeat, deps.now()));
      return listed(request, await withAuthors(deps, request.workspaceId, views), ({ id }) => id);
    });

export const handler = listHeartbeats(liveDeps());
