import type { Deps } from "../../core/deps.ts";
import { GroupPatch, toGroupView } from "../../core/domain/people/group.ts";
import { liveDeps } from "../../core/live.ts";
import * as groups from "../../core/store/groups.ts";
import { found } from "../http/found.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { expectedVersions, readChange, tagged } from "../http/conditional.ts";
import { pathId } from "../http/path.ts";

export const updateGroup = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("grp", "groupId"))
    .handler(async (request) => {
      const { workspaceId, groupId } = request;
      const before = found(await groups.readGroup(deps, workspaceId, groupId), "grp");
      const patch = readChange(request, GroupPatch, before);
      const expected = expectedVersions(request);
      const group = found(
        await groups.updateGroup(asCaller(deps, request), workspaceId, groupId, patch, expected),
        "grp",
      );
      return tagged(ok(toGroupView(group)), group);
    });

export const handler = updateGroup(liveDeps());
