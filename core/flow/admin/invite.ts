import type { Deps, AuditDeps, TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { notFoundRefusal, Refusal } from "../../domain/basics/refusal.ts";
import { toIso } from "../../domain/basics/time.ts";
import { buildInvitationMail, type MailMessage } from "../../domain/delivery/push/mail.ts";
import type { PushChannel } from "../../domain/delivery/push/outcome.ts";
import { hashEmail, normalizeEmail, type Invitation, type InvitationInput } from "../../domain/people/invitation.ts";
import { countInvitationMail } from "../../store/people/codes.ts";
import { listGroups } from "../../store/people/groups.ts";
import * as invitations from "../../store/people/invitations.ts";
import { listMembers, mayInvite, readMember } from "../../store/people/read-members.ts";
import { saveMember } from "../../store/people/members.ts";
import { readWorkspace } from "../../store/people/read-workspace.ts";
import { addToGroup } from "./notification-limits.ts";

export type InviteDeps = Pick<Deps, "log" | "baseUrl"> & { mail: PushChannel<MailMessage> | undefined };

export const listUnknownGroups = async (
  deps: TableDeps,
  ws: WorkspaceId,
  ids: readonly string[],
): Promise<string[]> => {
  if (ids.length === 0) return [];
  const known = new Set((await listGroups(deps, ws)).map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
};

/** Emails an invitation. Returns false if the email is not accepted, the stage sends no email or a day's limit is reached. */
const sendInvitationMail = async (
  deps: AuditDeps & InviteDeps,
  { workspaceId: ws, id, email }: Invitation,
  inviterName: string,
): Promise<boolean> => {
  const { mail } = deps;
  const { userId } = deps.table.author;
  if (mail === undefined || !(await countInvitationMail(deps, ws, userId, await hashEmail(email)))) return false;
  const { name: workspace = "" } = (await readWorkspace(deps, ws)) ?? {};
  const createdAt = toIso(deps.now());
  const outcome = await mail.send(
    buildInvitationMail(email, { workspace, by: inviterName, consoleUrl: deps.baseUrl }),
    { createdAt, registeredAt: createdAt },
  );
  deps.log.info("invitation.mailed", { workspaceId: ws, invitationId: id, outcome: outcome.kind });
  return outcome.kind === "accepted";
};

/** Creates an address's invitation, or replaces its role and groups, and emails it. Throws `already_member`, `limit_reached`. */
export const inviteAddress = async (
  deps: AuditDeps & InviteDeps,
  ws: WorkspaceId,
  input: InvitationInput,
  inviterName: string,
): Promise<{ kind: "created" | "renewed"; invitation: Invitation; mailed: boolean }> => {
  const address = normalizeEmail(input.email);
  const member = (await listMembers(deps, ws)).find(({ email }) => normalizeEmail(email) === address);
  if (member !== undefined)
    throw new Refusal("already_member", "The person with this email address is already a member of the workspace.", {
      members: { userId: member.userId },
    });
  const saved = await invitations.saveInvitation(deps, ws, input);
  return { ...saved, mailed: await sendInvitationMail(deps, saved.invitation, inviterName) };
};

/**
 * Makes the person with the invited address a member of the workspace and of the invitation's groups that still exist. An
 * existing member keeps their role. A repeated call completes an interrupted call. Throws Refusal `not_found` unless the
 * invitation is open and for this address, its workspace exists, and its author is still an owner.
 */
export const acceptInvitation = async (
  deps: AuditDeps,
  id: string,
  person: { userId: string; name?: string | undefined; email: string | undefined },
): Promise<{ workspaceId: WorkspaceId }> => {
  const { userId, email } = person;
  const own = email === undefined ? [] : await invitations.listInvitationsTo(deps, email);
  const invitation = own.find((one) => one.id === id);
  if (invitation === undefined || email === undefined) throw notFoundRefusal("invitation");
  const { workspaceId: ws, role, groupIds, createdBy } = invitation;
  if ((await readWorkspace(deps, ws)) === undefined || !(await mayInvite(deps, ws, createdBy)))
    throw notFoundRefusal("invitation");
  const known = await readMember(deps, ws, userId);
  // A concurrent acceptance marks the invitation before it stores the member, so the invitation is read after the member.
  const hasBegun = known !== undefined && (await invitations.readInvitation(deps, ws, id))?.acceptedBy === userId;
  if (hasBegun || known === undefined) {
    if (!(await invitations.markAccepting(deps, invitation, userId))) throw notFoundRefusal("invitation");
    await saveMember(deps, ws, { userId, name: person.name ?? email, email, role }, createdBy ?? undefined);
  }
  const gone = await listUnknownGroups(deps, ws, groupIds);
  for (const groupId of groupIds.filter((one) => !gone.includes(one))) await addToGroup(deps, ws, { groupId, userId });
  await invitations.deleteInvitation(deps, ws, id);
  return { workspaceId: ws };
};
