import type { Deps } from "../../core/deps.ts";
import type { UsagePlan } from "../../core/domain/workspace/usage-plan.ts";
import { toWorkspaceView, WorkspaceInput } from "../../core/domain/workspace/workspace.ts";
import type { ReadProfile } from "../../core/identity/profile.ts";
import { liveDeps, liveReadProfile, liveUsagePlan } from "../../core/live.ts";
import * as workspaces from "../../core/store/workspaces.ts";
import { body } from "../http/body.ts";
import { created, endpoint } from "../http/endpoint.ts";
import { asCaller } from "../http/as-caller.ts";
import { accessTokenOf, session } from "../http/auth.ts";
import { tagged } from "../http/conditional.ts";

type CreateDeps = Pick<Deps, "table" | "now" | "newId" | "log"> & { plan: UsagePlan; readProfile: ReadProfile };

export const createWorkspace = (deps: CreateDeps) =>
  endpoint(deps)
    .use(session())
    .use(body(WorkspaceInput))
    .handler(async (request) => {
      const { userId } = request.caller;
      const { email = "", name = email } = await deps.readProfile(accessTokenOf(request));
      const creator = { userId, name: name === "" ? userId : name, email };
      const id = deps.newId("ws");
      await workspaces.countMade(deps, userId, id);
      const { name: called } = request.body;
      const workspace = await workspaces.createWorkspace(asCaller(deps, request), {
        id,
        name: called,
        creator,
        plan: deps.plan,
      });
      const unused = { plan: deps.plan, month: "", used: 0 };
      return tagged(created(toWorkspaceView(workspace, unused, deps.now())), workspace);
    });

export const handler = createWorkspace({ ...liveDeps(), plan: liveUsagePlan(), readProfile: liveReadProfile() });
