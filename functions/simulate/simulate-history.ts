import type { Deps } from "../../core/deps.ts";
import { HistoryInput } from "../../core/domain/planning/history.ts";
import { simulateHistory as simulate } from "../../core/flow/read/simulate.ts";
import { dearPatternsOf } from "../../core/domain/rules/matching/index.ts";
import { liveDeps } from "../../core/live.ts";
import { member } from "../http/auth.ts";
import { body } from "../http/body.ts";
import { endpoint, ok } from "../http/endpoint.ts";

export const simulateHistory = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(HistoryInput, dearPatternsOf))
    .handler(async ({ workspaceId, body: input }) => ok(await simulate(deps, workspaceId, input)));

export const handler = simulateHistory(liveDeps());
