import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as members from "../../core/store/members.ts";
import { requireMember } from "../http/auth.ts";
import { route } from "../http/route.ts";

export const listMembers = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    return { status: 200, body: await members.listMembers(deps, workspaceId) };
  });

export const handler = listMembers(liveDeps());
