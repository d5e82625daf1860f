import type { Deps } from "../../core/deps.ts";
import { MemberInput } from "../../core/domain/people/member.ts";
import { readMemberView } from "../../core/flow/read/list-members.ts";
import { liveDeps } from "../../core/live.ts";
import { saveMember } from "../../core/store/members.ts";
import { body } from "../http/body.ts";
import { endpoint, reply } from "../http/endpoint.ts";
import { found } from "../http/found.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";

export const addMember = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(MemberInput))
    .handler(async (request) => {
      const { workspaceId, caller, body: person } = request;
      const { kind } = await saveMember(asCaller(deps, request), workspaceId, person, caller.userId);
      const view = found(await readMemberView(deps, workspaceId, person.userId), "usr");
      return reply(kind === "created" ? 201 : 200, view);
    });

export const handler = addMember(liveDeps());
