import type { Deps } from "../../core/deps.ts";
import { invalid } from "../../core/domain/basics/refusal.ts";
import { floorFaults } from "../../core/domain/planning/rungs.ts";
import type { WithWays } from "../../core/flow/admin/notification-rules.ts";
import { WORKSPACE_MOVES, WorkspacePatch } from "../../core/domain/workspace/workspace.ts";
import { readWorkspaceView, viewWorkspace } from "../../core/flow/read/read-workspace.ts";
import { liveDeps } from "../../core/live.ts";
import { liveWays } from "../../core/live-ways.ts";
import * as workspaces from "../../core/store/workspaces.ts";
import { found } from "../http/found.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { member, requireRole } from "../http/auth.ts";
import { expectedVersions, readChange, tagged } from "../http/conditional.ts";

export const updateWorkspace = (deps: Pick<Deps, "table" | "now" | "newId" | "log"> & WithWays) =>
  endpoint(deps)
    .use(member(deps))
    .handler(async (request) => {
      const { workspaceId } = request;
      const before = found(await readWorkspaceView(deps, workspaceId), "ws");
      const patch = readChange(request, WorkspacePatch, before, { derived: WORKSPACE_MOVES });
      await requireRole(deps, request, "owner", {
        what: "Changing these settings",
        or: async () => Object.keys(patch).every((field) => field === "urgentFloor"),
      });
      const faults = floorFaults(patch.urgentFloor, deps.ways);
      if (faults.length > 0) throw invalid(faults);
      const expected = expectedVersions(request);
      const workspace = found(
        await workspaces.updateWorkspace(asCaller(deps, request), workspaceId, patch, expected),
        "ws",
      );
      return tagged(ok(await viewWorkspace(deps, workspace)), workspace);
    });

export const handler = updateWorkspace({ ...liveDeps(), ways: liveWays() });
