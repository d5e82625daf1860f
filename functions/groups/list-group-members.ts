import type { Deps } from "../../core/deps.ts";
import * as groups from "../../core/store/groups.ts";
import { liveDeps } from "../../core/live.ts";
import { found } from "../http/found.ts";
import { endpoint } from "../http/endpoint.ts";
import { listed } from "../http/pages.ts";
import { member } from "../http/auth.ts";
import { pathId } from "../http/path.ts";

export const listGroupMembers = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps, "after"))
    .use(pathId("grp", "groupId"))
    .handler(async (request) => {
      const { workspaceId, groupId } = request;
      found(await groups.readGroup(deps, workspaceId, groupId), "grp");
      return listed(request, await groups.listNamedGroupMembers(deps, workspaceId, groupId), ({ userId }) => userId);
    });

export const handler = listGroupMembers(liveDeps());
