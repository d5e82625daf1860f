import type { Deps } from "../../core/deps.ts";
import { toGroupView } from "../../core/domain/people/group.ts";
import * as groups from "../../core/store/groups.ts";
import { liveDeps } from "../../core/live.ts";
import { endpoint } from "../http/endpoint.ts";
import { listed } from "../http/pages.ts";
import { member } from "../http/auth.ts";

export const listGroups = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps, "after"))
    .handler(async (request) => {
      const all = await groups.listGroups(deps, request.workspaceId);
      return listed(request, all.map(toGroupView), ({ id }) => id);
    });

export const handler = listGroups(liveDeps());
