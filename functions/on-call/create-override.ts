import type { Deps } from "../../core/deps.ts";
import { OnCallOverrideInput } from "../../core/domain/on-call/index.ts";
import { addOverride, isOwnOverride } from "../../core/flow/admin/write-on-call.ts";
import { liveDeps } from "../../core/live.ts";
import { body } from "../http/body.ts";
import { created, endpoint } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { member, requireRole } from "../http/auth.ts";
import { pathId } from "../http/path.ts";

export const createOverride = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("grp", "groupId"))
    .use(body(OnCallOverrideInput))
    .handler(async (request) => {
      const { workspaceId, groupId, caller, body: input } = request;
      const of = { ws: workspaceId, groupId, by: caller.userId };
      await requireRole(deps, request, "manager", {
        what: "Changing other people's shifts",
        or: () => isOwnOverride(deps, of, input),
      });
      return created(await addOverride(asCaller(deps, request), workspaceId, groupId, input));
    });

export const handler = createOverride(liveDeps());
