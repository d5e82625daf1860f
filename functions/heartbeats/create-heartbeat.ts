import type { Deps } from "../../core/deps.ts";
import { HeartbeatInput, toHeartbeatView } from "../../core/domain/heartbeat/heartbeat.ts";
import { liveDeps } from "../../core/live.ts";
import * as heartbeats from "../../core/store/heartbeats.ts";
import { body } from "../http/body.ts";
import { created, endpoint } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { callAddress } from "../http/request.ts";

export const createHeartbeat = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(HeartbeatInput))
    .handler(async (request) => {
      const { heartbeat, secret } = await heartbeats.createHeartbeat(deps, request.workspaceId, request.body);
      return created({ ...toHeartbeatView(heartbeat, deps.now()), url: callAddress(request, secret) });
    });

export const handler = createHeartbeat(liveDeps());
