import type { Deps } from "../core/deps.ts";
import { listSentFieldWarnings } from "../core/domain/planning/dry-run.ts";
import { simulateEvent, simulateHistory } from "../core/flow/read/simulate.ts";
import { liveDeps } from "../core/live.ts";
import { replyOk } from "./http/endpoint.ts";
import * as contract from "../interface/contracts/simulate.ts";
import { serve } from "./http/serve.ts";

/** Creates the handler of the simulator's requests. */
export const reads = (deps: Pick<Deps, "table" | "now" | "log"> = liveDeps()) =>
  serve(deps, contract.reads, {
    simulateEvent: async ({ workspaceId, json, body: input }) => {
      const answer = await simulateEvent(deps, workspaceId, input);
      return replyOk({ ...answer, warnings: [...answer.warnings, ...listSentFieldWarnings(json)] });
    },
    simulateHistory: async ({ workspaceId, body: input }) => replyOk(await simulateHistory(deps, workspaceId, input)),
  });
