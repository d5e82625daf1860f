import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as groups from "../../core/store/groups.ts";
import { requireMember } from "../http/auth.ts";
import { found } from "../http/found.ts";
import { pathId } from "../http/path.ts";
import { route } from "../http/route.ts";

export const listGroupMembers = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const id = pathId("grp", request, "groupId");
    found(await groups.readGroup(deps, workspaceId, id), "grp");
    return { status: 200, body: await groups.listGroupMembers(deps, workspaceId, id) };
  });

export const handler = listGroupMembers(liveDeps());
