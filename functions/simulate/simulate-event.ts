import type { Deps } from "../../core/deps.ts";
import { warningsOfSent } from "../../core/domain/planning/dry-run.ts";
import { SimulationInput } from "../../core/domain/planning/simulation.ts";
import { simulateEvent as simulate } from "../../core/flow/read/simulate.ts";
import { dearPatternsOf } from "../../core/domain/rules/matching/index.ts";
import { liveDeps } from "../../core/live.ts";
import { member } from "../http/auth.ts";
import { body } from "../http/body.ts";
import { endpoint, ok } from "../http/endpoint.ts";

export const simulateEvent = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(SimulationInput, dearPatternsOf))
    .handler(async ({ workspaceId, json, body: input }) => {
      const answer = await simulate(deps, workspaceId, input);
      return ok({ ...answer, warnings: [...answer.warnings, ...warningsOfSent(json)] });
    });

export const handler = simulateEvent(liveDeps());
