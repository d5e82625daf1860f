import type { Deps } from "../../core/deps.ts";
import { RuleInput } from "../../core/domain/rules/routing-rule.ts";
import { createRule } from "../../core/flow/write-rule.ts";
import { liveDeps } from "../../core/live.ts";
import { requireMember } from "../http/auth.ts";
import { readBody } from "../http/body.ts";
import { route } from "../http/route.ts";

export const createRoutingRule = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  route(deps, async (request) => {
    const { workspaceId } = await requireMember(deps, request);
    const input = readBody(RuleInput, request);
    return { status: 201, body: await createRule(deps, workspaceId, input) };
  });

export const handler = createRoutingRule(liveDeps());
