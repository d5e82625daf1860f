import type { Deps } from "../../core/deps.ts";
import { DryRunInput, warningsOfSent } from "../../core/domain/planning/dry-run.ts";
import { tryRules } from "../../core/flow/read/try-rules.ts";
import { dearPatternsOf } from "../../core/domain/rules/matching/index.ts";
import { liveDeps } from "../../core/live.ts";
import { body } from "../http/body.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { member } from "../http/auth.ts";

export const testRoutingRules = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(DryRunInput, dearPatternsOf))
    .handler(async ({ workspaceId, json, body: input }) => {
      const answer = await tryRules(deps, workspaceId, input);
      return ok({ ...answer, warnings: [...answer.warnings, ...warningsOfSent(json)] });
    });

export const handler = testRoutingRules(liveDeps());
