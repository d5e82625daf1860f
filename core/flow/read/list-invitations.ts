import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { type InvitationView, type OwnInvitation, toInvitationView } from "../../domain/people/invitation.ts";
import * as invitations from "../../store/people/invitations.ts";
import { createMemberNamer, mayInvite } from "../../store/people/read-members.ts";
import { readWorkspace } from "../../store/people/read-workspace.ts";

/** Lists only open invitations, the oldest first. */
export const listInvitations = async (deps: TimedDeps, ws: WorkspaceId): Promise<InvitationView[]> => {
  const all = await invitations.listInvitations(deps, ws);
  const called = await createMemberNamer(
    deps,
    ws,
    all.map(({ createdBy }) => createdBy),
  );
  return all.map((one) => toInvitationView(one, called));
};

/** Lists the invitations to an address, with the details of the workspace that the invited person may see. */
export const listOwnInvitations = async (deps: TimedDeps, email: string | undefined): Promise<OwnInvitation[]> => {
  const all = email === undefined ? [] : await invitations.listInvitationsTo(deps, email);
  const shown = all.map(async ({ id, workspaceId, role, createdBy, expiresAt }): Promise<OwnInvitation[]> => {
    const workspace = await readWorkspace(deps, workspaceId);
    if (workspace === undefined || !(await mayInvite(deps, workspaceId, createdBy))) return [];
    const called = await createMemberNamer(deps, workspaceId, [createdBy]);
    return [
      { id, workspace: { id: workspaceId, name: workspace.name }, role, invitedBy: called(createdBy), expiresAt },
    ];
  });
  return (await Promise.all(shown)).flat();
};
