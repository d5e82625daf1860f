import type { Deps } from "../core/deps.ts";
import { formatReportCsv } from "../core/domain/shifts/report-csv.ts";
import { readOnCallReport } from "../core/flow/read/on-call-report.ts";
import { liveDeps } from "../core/live.ts";
import { hasRole } from "../core/store/people/read-members.ts";
import { replyOk, replyText } from "./http/endpoint.ts";
import { readReportQuery } from "./http/query.ts";
import * as contract from "../interface/contracts/on-call-report.ts";
import { serve } from "./http/serve.ts";

/** Creates the handler of the requests that read the on-call report. */
export const reads = (deps: Pick<Deps, "table" | "now" | "newId" | "log"> = liveDeps()) =>
  serve(deps, contract.reads, {
    getOnCallReport: async (request) => {
      const { workspaceId, caller } = request;
      const { format, ...asked } = readReportQuery(request, deps.now());
      const isOwner = await hasRole(deps, workspaceId, caller, "owner");
      const report = await readOnCallReport(deps, workspaceId, asked, isOwner);
      return format === "csv" ? replyText("text/csv; charset=utf-8", formatReportCsv(report)) : replyOk(report);
    },
  });
