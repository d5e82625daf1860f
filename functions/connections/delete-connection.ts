import type { Deps } from "../../core/deps.ts";
import { liveDeps } from "../../core/live.ts";
import * as connections from "../../core/store/connections.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { expectedVersions } from "../http/conditional.ts";
import { endpoint } from "../http/endpoint.ts";
import { deleted } from "../http/found.ts";
import { pathId } from "../http/path.ts";

export const deleteConnection = (deps: Pick<Deps, "table" | "now" | "newId" | "log">) =>
  endpoint(deps)
    .use(member(deps))
    .use(pathId("con", "connectionId"))
    .handler(async (request) => {
      const { workspaceId: ws, connectionId: id } = request;
      return deleted(
        await connections.deleteConnection(asCaller(deps, request), ws, id, expectedVersions(request)),
        "con",
      );
    });

export const handler = deleteConnection(liveDeps());
