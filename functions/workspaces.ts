import type { Deps } from "../core/deps.ts";
import type { WorkspaceId } from "../core/domain/basics/ids.ts";
import { invalidInput } from "../core/domain/basics/refusal.ts";
import { findFloorFaults } from "../core/domain/planning/notification-steps.ts";
import type { UsagePlan } from "../core/domain/workspace/usage-plan.ts";
import { toWorkspaceView, omitPay, WORKSPACE_MOVES, type WorkspaceView } from "../core/domain/workspace/workspace.ts";
import type { WithChannels } from "../core/flow/admin/notification-rules.ts";
import { readWorkspaceView, buildWorkspaceView } from "../core/flow/read/read-workspace.ts";
import type { ReadProfile } from "../core/identity/profile.ts";
import { readChannels } from "../core/live-channels.ts";
import * as flow from "../core/flow/sweep/delete-workspace.ts";
import { liveDeps, liveReadProfile, readUsagePlan } from "../core/live.ts";
import { hasRole } from "../core/store/people/read-members.ts";
import * as workspaces from "../core/store/people/workspaces.ts";
import { readShadow } from "../core/flow/read/read-shadow.ts";
import { findShadowEndFault } from "../core/domain/workspace/shadow.ts";
import { createCursor, readCursor } from "./http/cursor.ts";
import { readAccessToken, type Caller, requireRole } from "./http/auth.ts";
import { addEtag } from "./http/conditional.ts";
import { replyCreated, replyOk } from "./http/endpoint.ts";
import { replyDeleted, requireFound } from "./http/require-found.ts";
import { replyList } from "./http/pages.ts";
import * as contract from "../interface/contracts/workspaces.ts";
import { serve } from "./http/serve.ts";

const omitPayUnlessOwner = async (
  deps: Pick<Deps, "table">,
  { workspaceId, caller }: { workspaceId: WorkspaceId; caller: Caller },
  view: WorkspaceView,
) => (view.pay === undefined || (await hasRole(deps, workspaceId, caller, "owner")) ? view : omitPay(view));

/** Creates the handler of the requests that read workspaces and shadows. */
export const reads = (deps: Pick<Deps, "table" | "now" | "log"> = liveDeps()) =>
  serve(deps, contract.reads, {
    listWorkspaces: async (request) =>
      replyList(request, await workspaces.listWorkspacesOf(deps, request.caller.userId), ({ id }) => id),
    getWorkspace: async (request) => {
      const workspace = requireFound(await readWorkspaceView(deps, request.workspaceId), "ws");
      return addEtag(replyOk(await omitPayUnlessOwner(deps, request, workspace)), workspace);
    },
    getShadow: async (request) => {
      const below = await readCursor("shadow", request);
      const at = below === undefined ? undefined : Number(below);
      const { next, ...page } = await readShadow(deps, request.workspaceId, at);
      return replyOk({
        ...page,
        nextCursor: next === undefined ? null : await createCursor("shadow", request, String(next)),
      });
    },
  });

/** Creates the handler of the requests that change workspaces and shadows. */
export const writes = (
  deps: Pick<Deps, "table" | "now" | "newId" | "log"> & { plan: UsagePlan; readProfile: ReadProfile } & WithChannels = {
    ...liveDeps(),
    plan: readUsagePlan(),
    readProfile: liveReadProfile(),
    ways: readChannels(),
  },
) =>
  serve(deps, contract.writes, {
    createWorkspace: async (request) => {
      const { userId } = request.caller;
      const { email = "", name = email } = await deps.readProfile(readAccessToken(request));
      const creator = { userId, name: name === "" ? userId : name, email };
      const id = deps.newId("ws");
      await workspaces.countCreatedWorkspace(deps, userId, id);
      const { name: called } = request.body;
      const workspace = await workspaces.createWorkspace(request.as, { id, name: called, creator, plan: deps.plan });
      const unused = { plan: deps.plan, month: "", used: 0 };
      return addEtag(replyCreated(toWorkspaceView(workspace, unused, deps.now())), workspace);
    },
    updateWorkspace: async (request) => {
      const { workspaceId } = request;
      const before = requireFound(await readWorkspaceView(deps, workspaceId), "ws");
      const patch = request.change(before, { derived: WORKSPACE_MOVES });
      await requireRole(deps, request, "owner", {
        action: "Changing these settings",
        isAllowed: async () => Object.keys(patch).every((field) => field === "urgentFloor"),
      });
      const faults = findFloorFaults(patch.urgentFloor, deps.ways);
      if (faults.length > 0) throw invalidInput(faults);
      const workspace = requireFound(
        await workspaces.updateWorkspace(request.as, workspaceId, patch, request.expected),
        "ws",
      );
      return addEtag(
        replyOk(await omitPayUnlessOwner(deps, request, await buildWorkspaceView(deps, workspace))),
        workspace,
      );
    },
    beginShadow: async ({ as, workspaceId, body }) => {
      const fault = findShadowEndFault(body, deps.now());
      if (fault !== undefined) throw invalidInput([fault]);
      return replyOk(requireFound(await workspaces.startShadow(as, workspaceId, body.until), "ws"));
    },
    endShadow: async ({ as, workspaceId }) => replyDeleted(await workspaces.endShadow(as, workspaceId), "ws"),
    deleteWorkspace: async ({ as, workspaceId, caller, expected, query }) => {
      const name = query.get("name") ?? "";
      const asked = { name, by: caller.userId, expected };
      return replyDeleted(await flow.deleteWorkspace(as, workspaceId, asked), "ws");
    },
  });
