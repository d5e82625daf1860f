import type { Deps } from "../core/deps.ts";
import { invalidInput } from "../core/domain/basics/refusal.ts";
import { toInvitationView } from "../core/domain/people/invitation.ts";
import { inviteAddress, type InviteDeps, listUnknownGroups } from "../core/flow/admin/invite.ts";
import * as flow from "../core/flow/admin/invite.ts";
import { listOwnInvitations } from "../core/flow/read/list-invitations.ts";
import * as reading from "../core/flow/read/list-invitations.ts";
import type { ReadProfile } from "../core/identity/profile.ts";
import { liveMail } from "../core/live-contacts.ts";
import { liveBaseUrl, liveDeps, liveReadProfile } from "../core/live.ts";
import * as invitations from "../core/store/people/invitations.ts";
import { readAccessToken } from "./http/auth.ts";
import { replyOk, reply } from "./http/endpoint.ts";
import { replyDeleted } from "./http/require-found.ts";
import { replyList } from "./http/pages.ts";
import * as contract from "../interface/contracts/invitations.ts";
import { serve } from "./http/serve.ts";

/** Creates the handler of the requests that read invitations. */
export const reads = (
  deps: Pick<Deps, "table" | "now" | "log"> & { readProfile: ReadProfile } = {
    ...liveDeps(),
    readProfile: liveReadProfile(),
  },
) =>
  serve(deps, contract.reads, {
    listInvitations: async (request) =>
      replyList(request, await reading.listInvitations(deps, request.workspaceId), ({ id }) => id),
    listMyInvitations: async (request) => {
      const { email } = await deps.readProfile(readAccessToken(request));
      return replyList(request, await listOwnInvitations(deps, email), ({ id }) => id);
    },
  });

/** Creates the handler of the requests that create, delete or accept invitations. */
export const writes = (
  deps: Pick<Deps, "table" | "now" | "newId" | "log"> & InviteDeps & { readProfile: ReadProfile } = {
    ...liveDeps(),
    baseUrl: liveBaseUrl(),
    mail: liveMail(),
    readProfile: liveReadProfile(),
  },
) =>
  serve(deps, contract.writes, {
    createInvitation: async ({ as, workspaceId, caller, body: input }) => {
      const unknown = await listUnknownGroups(deps, workspaceId, input.groupIds);
      if (unknown.length > 0)
        throw invalidInput(
          input.groupIds.flatMap((id, index) =>
            unknown.includes(id)
              ? [
                  {
                    field: `groupIds[${index}]`,
                    code: "unknown_reference",
                    message: `groupIds[${index}] must be the id of a group of this workspace.`,
                  },
                ]
              : [],
          ),
        );
      const { kind, invitation, mailed } = await inviteAddress(as, workspaceId, input, caller.name);
      const view = toInvitationView(invitation, () => ({ id: caller.userId, name: caller.name }));
      return reply(kind === "created" ? 201 : 200, { ...view, mailed });
    },
    deleteInvitation: async ({ as, workspaceId, invitationId }) =>
      replyDeleted(await invitations.deleteInvitation(as, workspaceId, invitationId), "inv"),
    acceptInvitation: async (request) => {
      const { name, email } = await deps.readProfile(readAccessToken(request));
      const person = { userId: request.caller.userId, name, email };
      return replyOk(await flow.acceptInvitation(request.as, request.invitationId, person));
    },
  });
