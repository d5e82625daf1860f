import type { Deps } from "../../core/deps.ts";
import { DryRunInput } from "../../core/domain/rules/dry-run.ts";
import { tryRules } from "../../core/flow/try-rules.ts";
import { liveDeps } from "../../core/live.ts";
import { requireMember } from "../http/auth.ts";
import { readBody } from "../http/body.ts";
import { route } from "../http/route.ts";

export const testRoutingRules = (deps: Pick<Deps, "table" | "now" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const input = readBody(DryRunInput, request);
    return { status: 200, body: await tryRules(deps, workspaceId, input) };
  });

export const handler = testRoutingRules(liveDeps());
