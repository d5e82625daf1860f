import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as groups from "../../core/store/groups.ts";
import { found } from "../http/found.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { pathId } from "../http/path.ts";

export const listGroupMembers = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("grp", "groupId"))
    .handler(async ({ workspaceId, groupId }) => {
      found(await groups.readGroup(deps, workspaceId, groupId), "grp");
      return ok(await groups.listNamedGroupMembers(deps, workspaceId, groupId));
    });

export const handler = listGroupMembers(liveDeps());
