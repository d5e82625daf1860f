import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as groups from "../../core/store/groups.ts";
import { deleted } from "../http/found.ts";
import { endpoint } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { expectedVersions } from "../http/conditional.ts";
import { pathId } from "../http/path.ts";

export const deleteGroup = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("grp", "groupId"))
    .handler(async (request) => {
      const { workspaceId, groupId } = request;
      return deleted(
        await groups.deleteGroup(asCaller(deps, request), workspaceId, groupId, expectedVersions(request)),
        "grp",
      );
    });

export const handler = deleteGroup(liveDeps());
