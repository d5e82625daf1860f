import type { Deps } from "../../core/deps.ts";
import { MemberInput } from "../../core/domain/people/member.ts";
import { readMemberView } from "../../core/flow/read/list-members.ts";
import { liveDeps } from "../../core/live.ts";
import { saveMember } from "../../core/store/members.ts";
import { body } from "../http/body.ts";
import { endpoint, reply } from "../http/endpoint.ts";
import { found } from "../http/found.ts";
import { member } from "../http/auth.ts";

export const addMember = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(MemberInput))
    .handler(async ({ workspaceId, caller, body: person }) => {
      const { kind } = await saveMember(deps, workspaceId, person, caller.userId);
      const view = found(await readMemberView(deps, workspaceId, person.userId), "usr");
      return reply(kind === "created" ? 201 : 200, view);
    });

export const handler = addMember(liveDeps());
