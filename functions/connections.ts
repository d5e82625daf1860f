import type { Deps } from "../core/deps.ts";
import { CONNECTION_MOVES, toConnectionView } from "../core/domain/connection/connection.ts";
import { emptyQueue } from "../core/domain/webhook/webhook.ts";
import * as flow from "../core/flow/admin/connections.ts";
import { liveSlack, liveSlackApps } from "../core/live-slack.ts";
import { livePost } from "../core/live-webhooks.ts";
import { liveDeps } from "../core/live.ts";
import { readConnection } from "../core/store/delivery/connections.ts";
import * as connections from "../core/store/delivery/connections.ts";
import { readQueue, readQueues } from "../core/store/delivery/delivery-queues.ts";
import { addEtag } from "./http/conditional.ts";
import { replyCreated, replyOk } from "./http/endpoint.ts";
import { replyDeleted, requireFound } from "./http/require-found.ts";
import { replyList } from "./http/pages.ts";
import * as contract from "../interface/contracts/connections.ts";
import { serve } from "./http/serve.ts";

/** Creates the handler of the requests that read connections. */
export const reads = (deps: Pick<Deps, "table" | "log"> = liveDeps()) =>
  serve(deps, contract.reads, {
    listConnections: async (request) => {
      const { workspaceId: ws } = request;
      const [all, lines] = await Promise.all([connections.listConnections(deps, ws), readQueues(deps, ws)]);
      return replyList(
        request,
        all.map((connection) => toConnectionView(connection, lines.get(connection.id) ?? emptyQueue)),
        ({ id }) => id,
      );
    },
    getConnection: async ({ workspaceId: ws, connectionId: id }) => {
      const connection = requireFound(await readConnection(deps, ws, id), "con");
      return addEtag(replyOk(toConnectionView(connection, await readQueue(deps, { ws, id }))), connection);
    },
  });

/** Creates the handler of the requests that change or test connections. */
export const writes = (
  deps: Pick<Deps, "table" | "now" | "newId" | "log" | "post" | "slack" | "slackApps" | "teamsStandIn"> & {
    queues: Pick<Deps["queues"], "webhooks">;
  } = { ...liveDeps("webhooks"), slackApps: liveSlackApps(), post: livePost(), slack: liveSlack() },
) =>
  serve(deps, contract.writes, {
    createConnection: async ({ as, workspaceId, body }) => {
      const connection = await flow.createConnection(as, workspaceId, body);
      return addEtag(replyCreated(toConnectionView(connection, emptyQueue)), connection);
    },
    updateConnection: async ({ as, workspaceId: ws, connectionId: id, change, expected }) => {
      const before = requireFound(await readConnection(deps, ws, id), "con");
      const shown = toConnectionView(before, await readQueue(deps, { ws, id }));
      const patch = change(shown, { derived: CONNECTION_MOVES });
      const connection = requireFound(await flow.updateConnection(as, ws, before, patch, expected), "con");
      return addEtag(replyOk(toConnectionView(connection, await readQueue(deps, { ws, id }))), connection);
    },
    deleteConnection: async ({ as, workspaceId, connectionId, expected }) =>
      replyDeleted(await connections.deleteConnection(as, workspaceId, connectionId, expected), "con"),
    testConnection: async ({ as, workspaceId, connectionId }) =>
      replyOk(requireFound(await flow.testConnection(as, workspaceId, connectionId), "con")),
  });
