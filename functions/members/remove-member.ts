import type { Deps } from "../../core/deps.ts";
import { Refusal } from "../../core/domain/basics/refusal.ts";
import { liveDeps } from "../../core/live.ts";
import * as members from "../../core/store/members.ts";
import { requireMember } from "../http/auth.ts";
import { deleted } from "../http/found.ts";
import { pathId } from "../http/path.ts";
import { route } from "../http/route.ts";

export const removeMember = (deps: Pick<Deps, "table" | "now" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const userId = pathId("usr", request, "userId");
    const outcome = await members.removeMember(deps, workspaceId, userId);
    if (outcome === "last") throw new Refusal("last_member", "The last member of a workspace cannot be removed.");
    return deleted(outcome === "removed", "usr");
  });

export const handler = removeMember(liveDeps());
