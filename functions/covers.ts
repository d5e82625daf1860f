import type { Deps } from "../core/deps.ts";
import type { WorkspaceId } from "../core/domain/basics/ids.ts";
import {
  requestCover,
  declineCover,
  listGroupCovers,
  listMyCovers,
  type RequireManager,
  takeCover,
  withdrawCover,
} from "../core/flow/admin/covers.ts";
import type { IngestDeps } from "../core/flow/ingest/ingest-event.ts";
import { liveDeps } from "../core/live.ts";
import * as contract from "../interface/contracts/covers.ts";
import { type Caller, requireRole } from "./http/auth.ts";
import { replyOk, reply } from "./http/endpoint.ts";
import { replyList } from "./http/pages.ts";
import { serve } from "./http/serve.ts";

/** Creates the handler of the requests that read covers. */
export const reads = (deps: Pick<Deps, "table" | "now" | "log"> = liveDeps()) =>
  serve(deps, contract.reads, {
    listCovers: async (request) => {
      const { workspaceId, groupId, caller } = request;
      return replyList(request, await listGroupCovers(deps, workspaceId, groupId, caller.userId), ({ id }) => id);
    },
    listMyCovers: async (request) => {
      const { workspaceId, caller } = request;
      return replyList(request, await listMyCovers(deps, workspaceId, caller.userId), ({ id }) => id);
    },
  });

/** Creates the handler of the requests that change covers. */
export const writes = (deps: IngestDeps = liveDeps("events")) => {
  const createManagerCheck =
    (request: { caller: Caller; workspaceId: WorkspaceId }): RequireManager =>
    (action) =>
      requireRole(deps, request, "manager", { action });
  return serve(deps, contract.writes, {
    askForCover: async (request) => {
      const { as, workspaceId, groupId, body, caller } = request;
      const { kind, cover } = await requestCover(
        as,
        workspaceId,
        groupId,
        body,
        caller.userId,
        createManagerCheck(request),
      );
      return reply(kind === "created" ? 201 : 200, cover);
    },
    takeCover: async ({ as, workspaceId, coverId, caller }) =>
      replyOk(await takeCover(as, workspaceId, coverId, caller.userId)),
    withdrawCover: async (request) => {
      const { as, workspaceId, coverId, caller } = request;
      return replyOk(await withdrawCover(as, workspaceId, coverId, caller.userId, createManagerCheck(request)));
    },
    declineCover: async ({ as, workspaceId, coverId, caller }) =>
      replyOk(await declineCover(as, workspaceId, coverId, caller.userId)),
  });
};
