import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as heartbeats from "../../core/store/heartbeats.ts";
import { deleted } from "../http/found.ts";
import { endpoint } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { expectedVersions } from "../http/conditional.ts";
import { pathId } from "../http/path.ts";

export const deleteHeartbeat = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("hb", "heartbeatId"))
    .handler(async (request) => {
      const { workspaceId, heartbeatId } = request;
      const expected = expectedVersions(request);
      return deleted(
        await heartbeats.deleteHeartbeat(asCaller(deps, request), workspaceId, heartbeatId, expected),
        "hb",
      );
    });

export const handler = deleteHeartbeat(liveDeps());
