import type { Deps } from "../../core/deps.ts";
import { toConnectionView } from "../../core/domain/connection/connection.ts";
import { liveDeps } from "../../core/live.ts";
import { readConnection } from "../../core/store/connections.ts";
import { readLine } from "../../core/store/webhook-lines.ts";
import { member } from "../http/auth.ts";
import { tagged } from "../http/conditional.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { found } from "../http/found.ts";
import { pathId } from "../http/path.ts";

export const getConnection = (deps: Pick<Deps, "table" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("con", "connectionId"))
    .handler(async ({ workspaceId: ws, connectionId: id }) => {
      const connection = found(await readConnection(deps, ws, id), "con");
      return tagged(ok(toConnectionView(connection, await readLine(deps, { ws, id }))), connection);
    });

export const handler = getConnection(liveDeps());
