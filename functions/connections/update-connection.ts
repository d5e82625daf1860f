import type { Deps } from "../../core/deps.ts";
import { CONNECTION_MOVES, ConnectionPatch, toConnectionView } from "../../core/domain/connection/connection.ts";
import * as flow from "../../core/flow/admin/connections.ts";
import { liveDeps } from "../../core/live.ts";
import { readConnection } from "../../core/store/connections.ts";
import { readLine } from "../../core/store/webhook-lines.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { expectedVersions, readChange, tagged } from "../http/conditional.ts";
import { endpoint, ok } from "../http/endpoint.ts";
import { found } from "../http/found.ts";
import { pathId } from "../http/path.ts";

type UpdateDeps = Pick<Deps, "table" | "now" | "newId" | "log"> & { queues: Pick<Deps["queues"], "webhooks"> };

export const updateConnection = (deps: UpdateDeps) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("con", "connectionId"))
    .handler(async (request) => {
      const { workspaceId: ws, connectionId: id } = request;
      const before = found(await readConnection(deps, ws, id), "con");
      const shown = toConnectionView(before, await readLine(deps, { ws, id }));
      const patch = readChange(request, ConnectionPatch, shown, { derived: CONNECTION_MOVES });
      const connection = found(
        await flow.updateConnection(asCaller(deps, request), ws, before, patch, expectedVersions(request)),
        "con",
      );
      return tagged(ok(toConnectionView(connection, await readLine(deps, { ws, id }))), connection);
    });

export const handler = updateConnection(liveDeps("webhooks"));
