import type { Deps } from "../../core/deps.ts";
import { GroupPatch } from "../../core/domain/people/group.ts";
import { liveDeps } from "../../core/live.ts";
import * as groups from "../../core/store/groups.ts";
import { found } from "../http/found.ts";
import { body } from "../http/body.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { pathId } from "../http/path.ts";

export const updateGroup = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("grp", "groupId"))
    .use(body(GroupPatch))
    .handler(async ({ workspaceId, groupId, body: patch }) =>
      ok(found(await groups.updateGroup(deps, workspaceId, groupId, patch), "grp")),
    );

export const handler = updateGroup(liveDeps());
