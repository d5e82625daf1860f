import type { Deps } from "../../core/deps.ts";
import { toGroupView } from "../../core/domain/people/group.ts";
import * as groups from "../../core/store/groups.ts";
import { liveDeps } from "../../core/live.ts";
import { found } from "../http/found.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { tagged } from "../http/conditional.ts";
import { pathId } from "../http/path.ts";

export const getGroup = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("grp", "groupId"))
    .handler(async ({ workspaceId, groupId }) => {
      const group = found(await groups.readGroup(deps, workspaceId, groupId), "grp");
      return tagged(ok(toGroupView(group)), group);
    });

export const handler = getGroup(liveDeps());
