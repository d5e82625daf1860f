import type { Deps } from "../../core/deps.ts";
import { toHeartbeatView } from "../../core/domain/heartbeat/heartbeat.ts";
import { withAuthor } from "../../core/flow/read/authors.ts";
import { liveDeps } from "../../core/live.ts";
import { readHeartbeat } from "../../core/store/heartbeats.ts";
import { found } from "../http/found.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { tagged } from "../http/conditional.ts";
import { pathId } from "../http/path.ts";

export const getHeartbeat = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("hb", "heartbeatId"))
    .handler(async ({ workspaceId, heartbeatId }) => {
      const heartbeat = found(await readHeartbeat(deps, workspaceId, heartbeatId), "hb");
      return tagged(ok(await withAuthor(deps, workspaceId, toHeartbeatView(heartbeat, deps.now()))), heartbeat);
    });

export const handler = getHeartbeat(liveDeps());
