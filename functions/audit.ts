import type { Deps } from "../core/deps.ts";
import * as flow from "../core/flow/read/list-audit.ts";
import { liveDeps } from "../core/live.ts";
import { createCursor, readCursor } from "./http/cursor.ts";
import { replyOk } from "./http/endpoint.ts";
import { readAuditFilter, readListLimit } from "./http/query.ts";
import * as contract from "../interface/contracts/audit.ts";
import { serve } from "./http/serve.ts";

const parsePosition = (text: string): flow.AuditPosition => {
  const [at, seq] = text.split(".");
  return { at: Number(at), seq: Number(seq) };
};

/** Creates the handler of the requests that read the audit trail. */
export const reads = (deps: Pick<Deps, "table" | "now" | "log"> = liveDeps()) =>
  serve(deps, contract.reads, {
    listAudit: async (request) => {
      const filter = readAuditFilter(request);
      const limit = readListLimit(request);
      const cursor = await readCursor("audit", request);
      const after = cursor === undefined ? undefined : parsePosition(cursor);
      const { items, next } = await flow.listAudit(deps, request.workspaceId, filter, { limit, after });
      const nextCursor = next === undefined ? null : await createCursor("audit", request, `${next.at}.${next.seq}`);
      return replyOk({ items, nextCursor });
    },
  });
