import type { Deps } from "../../core/deps.ts";
import type { Plan } from "../../core/domain/people/plan.ts";
import { WorkspaceInput } from "../../core/domain/people/workspace.ts";
import { liveDeps, livePlan } from "../../core/live.ts";
import * as workspaces from "../../core/store/workspaces.ts";
import { requireSession } from "../http/auth.ts";
import { readBody } from "../http/body.ts";
import { route } from "../http/route.ts";

export const createWorkspace = (deps: Pick<Deps, "table" | "now" | "newId" | "log"> & { plan: Plan }) =>
  route(deps, async (request) => {
    const creator = requireSession(request);
    const { name } = readBody(WorkspaceInput, request);
    return { status: 201, body: await workspaces.createWorkspace(deps, { name, creator, plan: deps.plan }) };
  });

export const handler = createWorkspace({ ...liveDeps(), plan: livePlan() });
