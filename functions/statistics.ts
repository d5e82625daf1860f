import type { Deps } from "../core/deps.ts";
import { toStatisticsView } from "../core/domain/statistics/statistics.ts";
import { readStatistics } from "../core/flow/read/list-statistics.ts";
import { liveDeps } from "../core/live.ts";
import { replyList } from "./http/pages.ts";
import { readStatisticsQuery } from "./http/query.ts";
import * as contract from "../interface/contracts/statistics.ts";
import { serve } from "./http/serve.ts";

/** Creates the handler of the requests that read statistics. */
export const reads = (deps: Pick<Deps, "table" | "now" | "log"> = liveDeps()) =>
  serve(deps, contract.reads, {
    listStatistics: async (request) => {
      const { by, ...weeks } = readStatisticsQuery(request, deps.now());
      const rows = await readStatistics(deps, request.workspaceId, by, weeks);
      return replyList(request, rows.map(toStatisticsView), ({ week, rule, group }) =>
        [week, rule?.id ?? group?.id ?? ""].join("_"),
      );
    },
  });
