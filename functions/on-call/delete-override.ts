import type { Deps } from "../../core/deps.ts";
import { removeOverride } from "../../core/flow/admin/remove-people.ts";
import { wasOwnOverride } from "../../core/flow/admin/write-on-call.ts";
import { liveDeps } from "../../core/live.ts";
import { removed } from "../http/found.ts";
import { endpoint } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { member, requireRole } from "../http/auth.ts";
import { pathId } from "../http/path.ts";

export const deleteOverride = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("grp", "groupId"))
    .use(pathId("ovr", "overrideId"))
    .handler(async (request) => {
      const { workspaceId, groupId, overrideId, caller } = request;
      const of = { ws: workspaceId, groupId, by: caller.userId };
      await requireRole(deps, request, "manager", {
        what: "Changing other people's shifts",
        or: () => wasOwnOverride(deps, of, overrideId),
      });
      return removed(await removeOverride(asCaller(deps, request), workspaceId, groupId, overrideId), "ovr");
    });

export const handler = deleteOverride(liveDeps());
