import { after, get, type Operations, query } from "../contract.ts";

export const reads = {
  listSites: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/sites",
    role: "viewer",
    summary: "List the sites that events came from",
    query: [after],
    answers: { 200: { shape: ["Site"], description: "The latest first." } },
    access: { table: [get, query] },
  },
} as const satisfies Operations;
