import type { Deps } from "../../core/deps.ts";
import type { UsagePlan } from "../../core/domain/people/usage-plan.ts";
import { WorkspaceInput } from "../../core/domain/people/workspace.ts";
import { liveDeps, liveUsagePlan } from "../../core/live.ts";
import * as workspaces from "../../core/store/workspaces.ts";
import { body } from "../http/body.ts";
import { created, endpoint } from "../http/endpoint.ts";
import { session } from "../http/auth.ts";

export const createWorkspace = (deps: Pick<Deps, "table" | "now" | "newId" | "log"> & { plan: UsagePlan }) =>
  endpoint(deps)
    .use(session())
    .use(body(WorkspaceInput))
    .handler(async ({ caller: creator, body: { name } }) =>
      created(await workspaces.createWorkspace(deps, { name, creator, plan: deps.plan })),
    );

export const handler = createWorkspace({ ...liveDeps(), plan: liveUsagePlan() });
