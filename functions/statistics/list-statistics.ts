import type { Deps } from "../../core/deps.ts";
import { toStatisticsView } from "../../core/domain/statistics/statistics.ts";
import { liveDeps } from "../../core/live.ts";
import { readStatistics } from "../../core/flow/read/list-statistics.ts";
import { member } from "../http/auth.ts";
import { endpoint } from "../http/endpoint.ts";
import { listed } from "../http/pages.ts";
import { readWeeks } from "../http/query.ts";

export const listStatistics = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps, "from", "to", "by", "after"))
    .handler(async (request) => {
      const { by, ...weeks } = readWeeks(request, deps.now());
      const rows = await readStatistics(deps, request.workspaceId, by, weeks);
      return listed(request, rows.map(toStatisticsView), ({ week, rule, group }) =>
        [week, rule?.id ?? group?.id ?? ""].join("_"),
      );
    });

export const handler = listStatistics(liveDeps());
