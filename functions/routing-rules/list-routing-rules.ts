import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import { listRules } from "../../core/store/rules.ts";
import { requireMember } from "../http/auth.ts";
import { route } from "../http/route.ts";

export const listRoutingRules = (deps: Pick<Deps, "table" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    return { status: 200, body: await listRules(deps, workspaceId) };
  });

export const handler = listRoutingRules(liveDeps());
