import type { Deps } from "../../core/deps.ts";
import * as flow from "../../core/flow/read/list-audit.ts";
import { liveDeps } from "../../core/live.ts";
import { member } from "../http/auth.ts";
import { cursorOf, readCursor } from "../http/cursor.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { readAuditFilter, readNotificationLimit } from "../http/query.ts";

const positionOf = (text: string): flow.AuditPosition => {
  const [at, seq] = text.split(".");
  return { at: Number(at), seq: Number(seq) };
};

export const listAudit = (deps: Pick<Deps, "table" | "now" | "log">) =>
  endpoint(deps)
    .use(member(deps, "from", "to", "actor", "action", "target", "limit", "cursor"))
    .handler(async (request) => {
      const filter = readAuditFilter(request);
      const limit = readNotificationLimit(request);
      const cursor = await readCursor("audit", request);
      const after = cursor === undefined ? undefined : positionOf(cursor);
      const { items, next } = await flow.listAudit(deps, request.workspaceId, filter, { limit, after });
      const nextCursor = next === undefined ? null : await cursorOf("audit", request, `${next.at}.${next.seq}`);
      return ok({ items, nextCursor });
    });

export const handler = listAudit(liveDeps());
