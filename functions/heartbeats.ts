import type { Deps } from "../core/deps.ts";
import { HEARTBEAT_MOVES, toHeartbeatView } from "../core/domain/heartbeat/heartbeat.ts";
import { addAuthor, addAuthors } from "../core/flow/read/authors.ts";
import { readHeartbeatWarnings } from "../core/flow/read/find-warnings.ts";
import { liveDeps } from "../core/live.ts";
import { readHeartbeat } from "../core/store/rules/heartbeats.ts";
import * as heartbeats from "../core/store/rules/heartbeats.ts";
import { addEtag } from "./http/conditional.ts";
import { replyCreated, replyOk } from "./http/endpoint.ts";
import { replyDeleted, requireFound } from "./http/require-found.ts";
import { replyList } from "./http/pages.ts";
import { createHeartbeatUrl } from "./http/request.ts";
import * as contract from "../interface/contracts/heartbeats.ts";
import { serve } from "./http/serve.ts";

/** Creates the handler of the requests that read heartbeats. */
export const reads = (deps: Pick<Deps, "table" | "now" | "log"> = liveDeps()) =>
  serve(deps, contract.reads, {
    listHeartbeats: async (request) => {
      const all = await heartbeats.listHeartbeats(deps, request.workspaceId);
      const views = all.map((heartbeat) => toHeartbeatView(heartbeat, deps.now()));
      return replyList(request, await addAuthors(deps, request.workspaceId, views), ({ id }) => id);
    },
    getHeartbeat: async ({ workspaceId, heartbeatId }) => {
      const heartbeat = requireFound(await readHeartbeat(deps, workspaceId, heartbeatId), "hb");
      return addEtag(replyOk(await addAuthor(deps, workspaceId, toHeartbeatView(heartbeat, deps.now()))), heartbeat);
    },
  });

/** Creates the handler of the requests that change heartbeats. */
export const writes = (deps: Pick<Deps, "table" | "now" | "newId" | "log"> = liveDeps()) =>
  serve(deps, contract.writes, {
    createHeartbeat: async (request) => {
      const { heartbeat, secret } = await heartbeats.createHeartbeat(request.as, request.workspaceId, request.body);
      const warnings = await readHeartbeatWarnings(deps, heartbeat);
      const shown = { ...toHeartbeatView(heartbeat, deps.now()), url: createHeartbeatUrl(request, secret), warnings };
      return addEtag(replyCreated(await addAuthor(deps, request.workspaceId, shown)), heartbeat);
    },
    updateHeartbeat: async (request) => {
      const { as, workspaceId, heartbeatId, expected } = request;
      const before = requireFound(await heartbeats.readHeartbeat(deps, workspaceId, heartbeatId), "hb");
      const patch = request.change(toHeartbeatView(before, deps.now()), { derived: HEARTBEAT_MOVES });
      const changed = await heartbeats.updateHeartbeat(as, workspaceId, heartbeatId, patch, expected);
      const { heartbeat, secret } = requireFound(changed, "hb");
      const url = secret === undefined ? {} : { url: createHeartbeatUrl(request, secret) };
      const warnings = await readHeartbeatWarnings(deps, heartbeat);
      const shown = { ...toHeartbeatView(heartbeat, deps.now()), ...url, warnings };
      return addEtag(replyOk(await addAuthor(deps, workspaceId, shown)), heartbeat);
    },
    deleteHeartbeat: async ({ as, workspaceId, heartbeatId, expected }) =>
      replyDeleted(await heartbeats.deleteHeartbeat(as, workspaceId, heartbeatId, expected), "hb"),
  });
