import type { Deps } from "../../core/deps.ts";
import { removeFromGroup } from "../../core/flow/admin/remove-people.ts";
import { liveDeps } from "../../core/live.ts";
import { removed } from "../http/found.ts";
import { endpoint } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { pathId } from "../http/path.ts";

export const removeGroupMember = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("grp", "groupId"))
    .use(pathId("usr", "userId"))
    .handler(async (request) => {
      const { workspaceId, groupId, userId } = request;
      return removed(await removeFromGroup(asCaller(deps, request), workspaceId, groupId, userId), "usr");
    });

export const handler = removeGroupMember(liveDeps());
