import type { Deps } from "../core/deps.ts";
import { isId } from "../core/domain/basics/ids.ts";
import { invalidInput, refuseLastOwner, Refusal } from "../core/domain/basics/refusal.ts";
import { removeFromWorkspace } from "../core/flow/admin/remove-people.ts";
import { readMemberView } from "../core/flow/read/list-members.ts";
import * as members from "../core/flow/read/list-members.ts";
import { readMemberDetail } from "../core/flow/read/read-member.ts";
import type { IngestDeps } from "../core/flow/ingest/ingest-event.ts";
import { createShiftNotifier } from "../core/flow/admin/notify-of-shifts.ts";
import { liveDeps } from "../core/live.ts";
import { saveMember, setRole } from "../core/store/people/members.ts";
import { requireRole } from "./http/auth.ts";
import { replyOk, reply } from "./http/endpoint.ts";
import { requireFound, replyRemoved } from "./http/require-found.ts";
import { replyList } from "./http/pages.ts";
import { readForce, readItemsToRevoke } from "./http/query.ts";
import * as contract from "../interface/contracts/members.ts";
import { serve } from "./http/serve.ts";

/** Machines cannot be owners, because no program should decide who is a member. */
const NO_OWNER = { field: "role", code: "invalid", message: "A machine cannot be an owner." } as const;

/** Creates the handler of the requests that read members. */
export const reads = (deps: Pick<Deps, "table" | "now" | "log"> = liveDeps()) =>
  serve(deps, contract.reads, {
    listMembers: async (request) =>
      replyList(request, await members.listMembers(deps, request.workspaceId), ({ userId }) => userId),
    getMember: async ({ workspaceId, userId }) =>
      replyOk(requireFound(await readMemberDetail(deps, workspaceId, userId), "usr")),
  });

/** Creates the handler of the requests that change members. */
export const writes = (deps: IngestDeps = liveDeps("events")) =>
  serve(deps, contract.writes, {
    addMember: async ({ as, workspaceId, caller, body: person }) => {
      const { kind } = await saveMember(as, workspaceId, person, caller.userId);
      const view = requireFound(await readMemberView(deps, workspaceId, person.userId), "usr");
      return reply(kind === "created" ? 201 : 200, view);
    },
    updateMember: async ({ as, workspaceId, userId, body: { role } }) => {
      if (role === "owner" && isId("mch", userId)) throw invalidInput([NO_OWNER]);
      const outcome = await setRole(as, workspaceId, userId, role);
      if (outcome === "last_owner") throw refuseLastOwner();
      return replyOk(
        requireFound(outcome === "done" ? await readMemberView(deps, workspaceId, userId) : undefined, "usr"),
      );
    },
    removeMember: async (request) => {
      const { workspaceId, userId } = request;
      const revokes = readItemsToRevoke(request);
      if (revokes.length > 0)
        await requireRole(deps, request, "manager", { action: "Revoking API keys and calendars" });
      const { outcome, ...left } = await removeFromWorkspace(
        request.as,
        workspaceId,
        userId,
        { revokes, force: readForce(request) },
        createShiftNotifier(request.as),
      );
      if (outcome === "last") throw new Refusal("last_member", "The last member of a workspace cannot be removed.");
      if (outcome === "last_owner") throw refuseLastOwner();
      return replyRemoved({ outcome: outcome === "removed", ...left }, "usr");
    },
  });
