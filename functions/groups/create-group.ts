import type { Deps } from "../../core/deps.ts";
import { GroupInput, toGroupView } from "../../core/domain/people/group.ts";
import { liveDeps } from "../../core/live.ts";
import * as groups from "../../core/store/groups.ts";
import { body } from "../http/body.ts";
import { created, endpoint } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { tagged } from "../http/conditional.ts";

export const createGroup = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(GroupInput))
    .handler(async (request) => {
      const {
        workspaceId,
        body: { name },
      } = request;
      const group = await groups.createGroup(asCaller(deps, request), workspaceId, name);
      return tagged(created(toGroupView(group)), group);
    });

export const handler = createGroup(liveDeps());
