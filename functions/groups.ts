import type { Deps } from "../core/deps.ts";
import { toGroupView } from "../core/domain/people/group.ts";
import { addToGroup } from "../core/flow/admin/notification-limits.ts";
import { deleteGroup, removeFromGroup } from "../core/flow/admin/remove-people.ts";
import type { IngestDeps } from "../core/flow/ingest/ingest-event.ts";
import { createShiftNotifier } from "../core/flow/admin/notify-of-shifts.ts";
import { liveDeps } from "../core/live.ts";
import { readGroup } from "../core/store/people/groups.ts";
import * as groups from "../core/store/people/groups.ts";
import { readMember } from "../core/store/people/read-members.ts";
import { addEtag } from "./http/conditional.ts";
import { replyCreated, replyOk, reply } from "./http/endpoint.ts";
import { replyDeleted, requireFound, requireReferenced, replyRemoved } from "./http/require-found.ts";
import { replyList } from "./http/pages.ts";
import { readForce } from "./http/query.ts";
import * as contract from "../interface/contracts/groups.ts";
import { serve } from "./http/serve.ts";

/** Creates the handler of the requests that read groups and their members. */
export const reads = (deps: Pick<Deps, "table" | "log"> = liveDeps()) =>
  serve(deps, contract.reads, {
    listGroups: async (request) => {
      const all = await groups.listGroups(deps, request.workspaceId);
      return replyList(request, all.map(toGroupView), ({ id }) => id);
    },
    getGroup: async ({ workspaceId, groupId }) => {
      const group = requireFound(await groups.readGroup(deps, workspaceId, groupId), "grp");
      return addEtag(replyOk(toGroupView(group)), group);
    },
    listGroupMembers: async (request) => {
      const { workspaceId, groupId } = request;
      requireFound(await groups.readGroup(deps, workspaceId, groupId), "grp");
      return replyList(request, await groups.listNamedGroupMembers(deps, workspaceId, groupId), ({ userId }) => userId);
    },
  });

/** Creates the handler of the requests that change groups and their members. */
export const writes = (deps: IngestDeps = liveDeps("events")) =>
  serve(deps, contract.writes, {
    createGroup: async ({ as, workspaceId, body: { name } }) => {
      const group = await groups.createGroup(as, workspaceId, name);
      return addEtag(replyCreated(toGroupView(group)), group);
    },
    updateGroup: async ({ as, workspaceId, groupId, change, expected }) => {
      const before = requireFound(await groups.readGroup(deps, workspaceId, groupId), "grp");
      const patch = change(before);
      const group = requireFound(await groups.updateGroup(as, workspaceId, groupId, patch, expected), "grp");
      return addEtag(replyOk(toGroupView(group)), group);
    },
    deleteGroup: async (request) => {
      const { workspaceId, groupId } = request;
      const how = { force: readForce(request), expected: request.expected };
      return replyDeleted(await deleteGroup(request.as, workspaceId, groupId, how), "grp");
    },
    addGroupMember: async ({ as, workspaceId, groupId, body: { userId } }) => {
      requireFound(await readGroup(deps, workspaceId, groupId), "grp");
      requireReferenced(await readMember(deps, workspaceId, userId), "usr", "userId");
      const { kind, member } = await addToGroup(as, workspaceId, { groupId, userId });
      return reply(kind === "created" ? 201 : 200, member);
    },
    removeGroupMember: async ({ as, workspaceId, groupId, userId }) =>
      replyRemoved(await removeFromGroup(as, workspaceId, { groupId, userId }, createShiftNotifier(as)), "usr"),
  });
