import type { Deps } from "../../core/deps.ts";
import { MemberInput } from "../../core/domain/people/member.ts";
import { liveDeps } from "../../core/live.ts";
import { saveMember } from "../../core/store/members.ts";
import { body } from "../http/body.ts";
import { endpoint, reply } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";

export const addMember = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(MemberInput))
    .handler(async ({ workspaceId, body: person }) => {
      const { kind, member } = await saveMember(deps, workspaceId, person);
      return reply(kind === "created" ? 201 : 200, member);
    });

export const handler = addMember(liveDeps());
