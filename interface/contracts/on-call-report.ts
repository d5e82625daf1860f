import { reportedBy } from "../../core/domain/shifts/pay.ts";
import { get, type Operations, put, query } from "../contract.ts";

export const reads = {
  getOnCallReport: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/on-call/report",
    role: "viewer",
    summary: "Get the on-call report",
    description:
      "Hours on call by class, pages, short rests and covers, for each person or group. A month (UTC) that ended at least 24 hours ago " +
      "is closed: the report of a closed month stays the same. Owners also see the pay, if the workspace has rates of pay.",
    query: [
      {
        name: "from",
        description: "The start of the report; by default the start of the month (UTC) in which the report ends.",
        schema: { type: "string", format: "date-time" },
      },
      {
        name: "to",
        description: "The end of the report, at most 53 weeks after `from`; by default now.",
        schema: { type: "string", format: "date-time" },
      },
      {
        name: "by",
        description: "What each row is about; by default `person`.",
        schema: { type: "string", enum: reportedBy },
      },
      {
        name: "format",
        description: "`csv` for a table with a heading line, as `text/csv`.",
        schema: { type: "string", enum: ["json", "csv"] },
      },
    ],
    answers: { 200: { shape: "OnCallReport", description: "A row for each person or group, by name." } },
    access: { table: [get, query, put] },
  },
} as const satisfies Operations;
