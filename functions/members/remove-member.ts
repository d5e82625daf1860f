import type { Deps } from "../../core/deps.ts";
import { lastOwner, Refusal } from "../../core/domain/basics/refusal.ts";
import { removeFromWorkspace } from "../../core/flow/admin/remove-people.ts";
import { liveDeps } from "../../core/live.ts";
import { removed } from "../http/found.ts";
import { endpoint } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { member, requireRole } from "../http/auth.ts";
import { pathMemberId } from "../http/path.ts";
import { readRevoke } from "../http/query.ts";

export const removeMember = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathMemberId())
    .handler(async (request) => {
      const { workspaceId, userId } = request;
      const revokes = readRevoke(request);
      if (revokes.length > 0) await requireRole(deps, request, "manager", { what: "Revoking API keys and calendars" });
      const { outcome, ...left } = await removeFromWorkspace(asCaller(deps, request), workspaceId, userId, revokes);
      if (outcome === "last") throw new Refusal("last_member", "The last member of a workspace cannot be removed.");
      if (outcome === "last_owner") throw lastOwner();
      return removed({ outcome: outcome === "removed", ...left }, "usr");
    });

export const handler = removeMember(liveDeps());
