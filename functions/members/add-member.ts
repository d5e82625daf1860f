import type { Deps } from "../../core/deps.ts";
import { MemberInput } from "../../core/domain/people/member.ts";
import { liveDeps } from "../../core/live.ts";
import { saveMember } from "../../core/store/members.ts";
import { requireMember } from "../http/auth.ts";
import { readBody } from "../http/body.ts";
import { route } from "../http/route.ts";

export const addMember = (deps: Pick<Deps, "table" | "now" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const person = readBody(MemberInput, request);
    const { kind, member } = await saveMember(deps, workspaceId, person);
    return { status: kind === "created" ? 201 : 200, body: member };
  });

export const handler = addMember(liveDeps());
