import { after, get, type Operations, query } from "../contract.ts";

export const reads = {
  listStatistics: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/statistics",
    role: "viewer",
    summary: "List the statistics of a team",
    description:
      "For each week, from Monday 00:00 UTC: the numbers of events, of events to acknowledge, of notifications, and of notifications at " +
      "night; and how fast events were acknowledged and resolved, in seconds. The statistics are updated about once an hour.",
    query: [
      {
        name: "from",
        description: "An instant in the first week to list; by default eleven weeks before `to`.",
        schema: { type: "string", format: "date-time" },
      },
      {
        name: "to",
        description: "An instant in the final week to list, at most 53 weeks after `from`; by default now.",
        schema: { type: "string", format: "date-time" },
      },
      {
        name: "by",
        description: "`rule` or `group`: one row a week for each rule or group, instead of one for the workspace.",
        schema: { type: "string", enum: ["rule", "group"] },
      },
      after,
    ],
    answers: {
      200: { shape: ["Statistics"], description: "The oldest week first; a week without an event has no row." },
    },
    access: { table: [get, query] },
  },
} as const satisfies Operations;
