import { auditActions, targetKinds } from "../../core/domain/workspace/audit.ts";
import { batch, cursor, get, type Operations, query } from "../contract.ts";

export const reads = {
  listAudit: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/audit",
    role: "owner",
    summary: "List the changes of the configuration",
    description:
      "The audit trail of the last 400 days: an entry for each change of the configuration that took effect. `via` is the value of the caller's header `X-Via` (`console`, `setup_file`; `api` otherwise). For operator commands, which have no `actor`, `via` is `operator`. With a filter, a page may contain fewer entries than `limit`; `nextCursor` is null on " +
      "the last page.",
    query: [
      {
        name: "from",
        description: "Only entries made at this time or later.",
        schema: { type: "string", format: "date-time" },
      },
      {
        name: "to",
        description: "Only entries made at this time or earlier.",
        schema: { type: "string", format: "date-time" },
      },
      { name: "actor", description: "Only changes by this person, or by `operator`.", schema: { type: "string" } },
      {
        name: "action",
        description: "Only changes with this action.",
        schema: { type: "string", enum: [...auditActions] },
      },
      {
        name: "target",
        description: `Only changes of the item with this id, or of items of this kind: ${targetKinds.join(", ")}.`,
        schema: { type: "string" },
      },
      {
        name: "limit",
        description: "Entries on a page. A number above 200 is lowered to 200.",
        schema: { type: "integer", minimum: 1, default: 50 },
      },
      cursor,
    ],
    answers: { 200: { shape: "AuditPage", description: "The newest first." } },
    access: { table: [get, batch, query] },
  },
} as const satisfies Operations;
