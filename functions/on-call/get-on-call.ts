import type { Deps } from "../../core/deps.ts";
import { readOnCall } from "../../core/flow/admin/write-on-call.ts";
import { withAuthor } from "../../core/flow/read/authors.ts";
import { liveDeps } from "../../core/live.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";
import { tagged } from "../http/conditional.ts";
import { pathId } from "../http/path.ts";

export const getOnCall = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("grp", "groupId"))
    .handler(async ({ workspaceId, groupId }) => {
      const schedule = await readOnCall(deps, workspaceId, groupId);
      return tagged(ok(await withAuthor(deps, workspaceId, schedule)), schedule);
    });

export const handler = getOnCall(liveDeps());
