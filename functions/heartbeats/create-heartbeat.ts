import type { Deps } from "../../core/deps.ts";
import { HeartbeatInput, toHeartbeatView } from "../../core/domain/heartbeat/heartbeat.ts";
import { warningsOfHeartbeat } from "../../core/flow/read/find-warnings.ts";
import { withAuthor } from "../../core/flow/read/authors.ts";
import { liveDeps } from "../../core/live.ts";
import * as heartbeats from "../../core/store/heartbeats.ts";
import { body } from "../http/body.ts";
import { created, endpoint } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { tagged } from "../http/conditional.ts";
import { callAddress } from "../http/request.ts";

export const createHeartbeat = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(HeartbeatInput))
    .handler(async (request) => {
      const { heartbeat, secret } = await heartbeats.createHeartbeat(
        asCaller(deps, request),
        request.workspaceId,
        request.body,
      );
      const warnings = await warningsOfHeartbeat(deps, heartbeat);
      const shown = { ...toHeartbeatView(heartbeat, deps.now()), url: callAddress(request, secret), warnings };
      return tagged(created(await withAuthor(deps, request.workspaceId, shown)), heartbeat);
    });

export const handler = createHeartbeat(liveDeps());
