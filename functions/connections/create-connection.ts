import type { Deps } from "../../core/deps.ts";
import { ConnectionInput, toConnectionView } from "../../core/domain/connection/connection.ts";
import { emptyLine } from "../../core/domain/webhook/webhook.ts";
import * as flow from "../../core/flow/admin/connections.ts";
import { liveDeps } from "../../core/live.ts";
import { liveSlackApps } from "../../core/live-slack.ts";
import { asCaller } from "../http/as-caller.ts";
import { member } from "../http/auth.ts";
import { body } from "../http/body.ts";
import { tagged } from "../http/conditional.ts";
import { created, endpoint } from "../http/endpoint.ts";

export const createConnection = (deps: Pick<Deps, "table" | "now" | "newId" | "log" | "slackApps" | "teamsStandIn">) =>
  endpoint(deps)
    .use(member(deps))
    .use(body(ConnectionInput))
    .handler(async (request) => {
      const connection = await flow.createConnection(asCaller(deps, request), request.workspaceId, request.body);
      return tagged(created(toConnectionView(connection, emptyLine)), connection);
    });

export const handler = createConnection({ ...liveDeps(), slackApps: liveSlackApps() });
