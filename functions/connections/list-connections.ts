import type { Deps } from "../../core/deps.ts";
import { toConnectionView } from "../../core/domain/connection/connection.ts";
import { emptyLine } from "../../core/domain/webhook/webhook.ts";
import { liveDeps } from "../../core/live.ts";
import * as connections from "../../core/store/connections.ts";
import { readLines } from "../../core/store/webhook-lines.ts";
import { member } from "../http/auth.ts";
import { endpoint } from "../http/endpoint.ts";
import { listed } from "../http/pages.ts";

export const listConnections = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps, "after"))
    .handler(async (request) => {
      const { workspaceId: ws } = request;
      const [all, lines] = await Promise.all([connections.listConnections(deps, ws), readLines(deps, ws)]);
      return listed(
        request,
        all.map((connection) => toConnectionView(connection, lines.get(connection.id) ?? emptyLine)),
        ({ id }) => id,
      );
    });

export const handler = listConnections(liveDeps());
