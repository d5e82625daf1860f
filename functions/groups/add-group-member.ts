import type { Deps } from "../../core/deps.ts";
import { GroupMemberInput } from "../../core/domain/people/group.ts";
import { joinGroup } from "../../core/flow/admin/make-room.ts";
import { liveDeps } from "../../core/live.ts";
import { readGroup } from "../../core/store/groups.ts";
import { readMember } from "../../core/store/members.ts";
import { found, referred } from "../http/found.ts";
import { body } from "../http/body.ts";
import { endpoint, reply } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { pathId } from "../http/path.ts";

export const addGroupMember = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("grp", "groupId"))
    .use(body(GroupMemberInput))
    .handler(async (request) => {
      const {
        workspaceId,
        groupId,
        body: { userId },
      } = request;
      found(await readGroup(deps, workspaceId, groupId), "grp");
      referred(await readMember(deps, workspaceId, userId), "usr", "userId");
      const { kind, member } = await joinGroup(asCaller(deps, request), workspaceId, groupId, userId);
      return reply(kind === "created" ? 201 : 200, member);
    });

export const handler = addGroupMember(liveDeps());
