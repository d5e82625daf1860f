import type { Deps } from "../../core/deps.ts";
import { HeartbeatPatch, toHeartbeatView } from "../../core/domain/heartbeat/heartbeat.ts";
import { liveDeps } from "../../core/live.ts";
import * as heartbeats from "../../core/store/heartbeats.ts";
import { found } from "../http/found.ts";
import { body } from "../http/body.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { pathId } from "../http/path.ts";
import { callAddress } from "../http/request.ts";

export const updateHeartbeat = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("hb", "heartbeatId"))
    .use(body(HeartbeatPatch))
    .handler(async (request) => {
      const { workspaceId, heartbeatId, body: patch } = request;
      const changed = await heartbeats.updateHeartbeat(deps, workspaceId, heartbeatId, patch);
      const { heartbeat, secret } = found(changed, "hb");
      const url = secret === undefined ? {} : { url: callAddress(request, secret) };
      return ok({ ...toHeartbeatView(heartbeat, deps.now()), ...url });
    });

export const handler = updateHeartbeat(liveDeps());
