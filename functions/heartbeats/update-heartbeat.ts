import type { Deps } from "../../core/deps.ts";
import { HEARTBEAT_MOVES, HeartbeatPatch, toHeartbeatView } from "../../core/domain/heartbeat/heartbeat.ts";
import { warningsOfHeartbeat } from "../../core/flow/read/find-warnings.ts";
import { withAuthor } from "../../core/flow/read/authors.ts";
import { liveDeps } from "../../core/live.ts";
import * as heartbeats from "../../core/store/heartbeats.ts";
import { found } from "../http/found.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { expectedVersions, readChange, tagged } from "../http/conditional.ts";
import { pathId } from "../http/path.ts";
import { callAddress } from "../http/request.ts";

export const updateHeartbeat = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("hb", "heartbeatId"))
    .handler(async (request) => {
      const { workspaceId, heartbeatId } = request;
      const before = found(await heartbeats.readHeartbeat(deps, workspaceId, heartbeatId), "hb");
      const patch = readChange(request, HeartbeatPatch, toHeartbeatView(before, deps.now()), {
        derived: HEARTBEAT_MOVES,
      });
      const expected = expectedVersions(request);
      const changed = await heartbeats.updateHeartbeat(
        asCaller(deps, request),
        workspaceId,
        heartbeatId,
        patch,
        expected,
      );
      const { heartbeat, secret } = found(changed, "hb");
      const url = secret === undefined ? {} : { url: callAddress(request, secret) };
      const warnings = await warningsOfHeartbeat(deps, heartbeat);
      const shown = { ...toHeartbeatView(heartbeat, deps.now()), ...url, warnings };
      return tagged(ok(await withAuthor(deps, workspaceId, shown)), heartbeat);
    });

export const handler = updateHeartbeat(liveDeps());
