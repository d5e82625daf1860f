import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as onCall from "../../core/store/on-call.ts";
import { deleted } from "../http/found.ts";
import { endpoint } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { pathId } from "../http/path.ts";

export const deleteOverride = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("grp", "groupId"))
    .use(pathId("ovr", "overrideId"))
    .handler(async ({ workspaceId, groupId, overrideId }) =>
      deleted(await onCall.deleteOverride(deps, workspaceId, groupId, overrideId), "ovr"),
    );

export const handler = deleteOverride(liveDeps());
