import type { Deps } from "../../core/deps.ts";
import { GroupMemberInput } from "../../core/domain/people/group.ts";
import { liveDeps } from "../../core/live.ts";
import * as groups from "../../core/store/groups.ts";
import { readMember } from "../../core/store/members.ts";
import { requireMember } from "../http/auth.ts";
import { readBody } from "../http/body.ts";
import { found, referred } from "../http/found.ts";
import { pathId } from "../http/path.ts";
import { route } from "../http/route.ts";

export const addGroupMember = (deps: Pick<Deps, "table" | "now" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const id = pathId("grp", request, "groupId");
    const { userId } = readBody(GroupMemberInput, request);
    found(await groups.readGroup(deps, workspaceId, id), "grp");
    referred(await readMember(deps, workspaceId, userId), "usr", "userId");
    const { kind, member } = await groups.addGroupMember(deps, workspaceId, id, userId);
    return { status: kind === "created" ? 201 : 200, body: member };
  });

export const handler = addGroupMember(liveDeps());
