import * as v from "valibot";
import type { AuditDeps, TableDeps, TimedDeps } from "../../deps.ts";
import { WorkspaceId } from "../../domain/basics/ids.ts";
import { INVITATIONS_MAX } from "../../domain/basics/limits.ts";
import { Refusal } from "../../domain/basics/refusal.ts";
import { toIso } from "../../domain/basics/time.ts";
import {
  hashEmail,
  Invitation,
  INVITATION_MS,
  isInvitationOpen,
  type InvitationInput,
} from "../../domain/people/invitation.ts";
import { toTtl } from "../claims.ts";
import { invitationKey, invitationsPk, invitedKey, invitedPk } from "../keys.ts";
import { deleteWrite, getItem, putWrite, queryItems, updateItem } from "../table.ts";
import { writeRecorded } from "../configuration/audit-trail.ts";
import { compareByCreation, buildAudit, type AuditOf } from "../configuration/versioned.ts";

/*
 * An invitation is two items. The item in the workspace is for the owners. The item under the hash of the address is for the
 * person who signs in with the address. A workspace has at most one invitation for an address.
 */

const Invited = v.object({ workspaceId: WorkspaceId, id: v.string() });

/** Describes an invitation for the audit trail, which shows the role and groups, but not the address. */
const describeInvitationForTrail = ({
  workspaceId: ws,
  id,
}: Pick<Invitation, "workspaceId" | "id">): AuditOf<Invitation> => ({
  ws,
  kind: "invitation",
  id,
  shown: ({ role, groupIds }) => ({ role, groupIds }),
});

/** Lists the open invitations of a workspace, the oldest first. */
export const listInvitations = async (deps: TimedDeps, ws: WorkspaceId): Promise<Invitation[]> => {
  const all = await queryItems(deps, { pk: invitationsPk(ws) }, Invitation);
  return all.filter((one) => isInvitationOpen(one, deps.now())).sort(compareByCreation);
};

/** Lists the open invitations of an address, from all workspaces. */
export const listInvitationsTo = async (deps: TimedDeps, email: string): Promise<Invitation[]> => {
  const invited = await queryItems(deps, { pk: invitedPk(await hashEmail(email)) }, Invited);
  const found = await Promise.all(
    invited.map(({ workspaceId, id }) => getItem(deps, invitationKey(workspaceId, id), Invitation)),
  );
  return found.filter((one) => one !== undefined).filter((one) => isInvitationOpen(one, deps.now()));
};

export const readInvitation = (deps: TableDeps, ws: WorkspaceId, id: string): Promise<Invitation | undefined> =>
  getItem(deps, invitationKey(ws, id), Invitation);

const TRIES = 5;

/** Stores an invitation, or extends the address's invitation with the new role and groups. Throws Refusal `limit_reached`. */
export const saveInvitation = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  { email, role, groupIds }: InvitationInput,
): Promise<{ kind: "created" | "renewed"; invitation: Invitation }> => {
  const hash = await hashEmail(email);
  for (let round = 0; round < TRIES; round += 1) {
    const invited = await getItem(deps, invitedKey(hash, ws), Invited);
    const known = invited === undefined ? undefined : await readInvitation(deps, ws, invited.id);
    const before = known !== undefined && isInvitationOpen(known, deps.now()) ? known : undefined;
    if (before === undefined && (await listInvitations(deps, ws)).length >= INVITATIONS_MAX)
      throw new Refusal("limit_reached", `A workspace has at most ${INVITATIONS_MAX} open invitations.`);
    const now = deps.now();
    const invitation: Invitation = {
      id: invited?.id ?? deps.newId("inv"),
      workspaceId: ws,
      email,
      role,
      groupIds: [...new Set(groupIds)],
      createdAt: before?.createdAt ?? toIso(now),
      expiresAt: toIso(now + INVITATION_MS),
      createdBy: deps.table.author.userId,
    };
    const ttl = toTtl(now + INVITATION_MS);
    // The item under the address must be unchanged; this item is created and deleted together with the workspace's item.
    const same =
      invited === undefined ? {} : { condition: "#id = :id", names: { "#id": "id" }, values: { ":id": invitation.id } };
    const written = await writeRecorded(
      deps,
      ws,
      buildAudit(describeInvitationForTrail(invitation), before, invitation),
      putWrite(deps, invitedKey(hash, ws), { workspaceId: ws, id: invitation.id, ttl }, same),
      putWrite(deps, invitationKey(ws, invitation.id), { ...invitation, ttl }, invited === undefined ? {} : ANY),
    );
    if (written.kind === "done") return { kind: before === undefined ? "created" : "renewed", invitation };
  }
  throw new Error(`the invitation of an address changed during all ${TRIES} attempts to write it`);
};

/** A condition that is always true, so that the write succeeds even if DynamoDB has already deleted the expired item. */
const ANY = { condition: "attribute_exists(pk) OR attribute_not_exists(pk)" };

/** Stores who accepts an invitation, so that this person can retry. Returns false if the invitation no longer exists. */
export const markAccepting = async (
  deps: TableDeps,
  { workspaceId: ws, id }: Pick<Invitation, "workspaceId" | "id">,
  userId: string,
): Promise<boolean> => {
  const noted = await updateItem(deps, invitationKey(ws, id), Invitation, {
    update: "SET #by = :user",
    condition: "attribute_exists(pk)",
    names: { "#by": "acceptedBy" },
    values: { ":user": userId },
  });
  return noted.kind === "done";
};

/** Withdraws an invitation, or removes it after it was accepted. Returns false if the invitation was no longer open. */
export const deleteInvitation = async (deps: AuditDeps, ws: WorkspaceId, id: string): Promise<boolean> => {
  const invitation = await readInvitation(deps, ws, id);
  if (invitation === undefined) return false;
  const written = await writeRecorded(
    deps,
    ws,
    buildAudit(describeInvitationForTrail(invitation), invitation, undefined),
    deleteWrite(deps, invitedKey(await hashEmail(invitation.email), ws), ANY),
    deleteWrite(deps, invitationKey(ws, id), { condition: "attribute_exists(pk)" }),
  );
  return written.kind === "done" && isInvitationOpen(invitation, deps.now());
};

/** Withdraws a person's invitations to a workspace, because the person may no longer invite. */
export const deleteInvitationsBy = async (deps: AuditDeps, ws: WorkspaceId, userId: string): Promise<void> => {
  for (const { id, createdBy } of await listInvitations(deps, ws))
    if (createdBy === userId) await deleteInvitation(deps, ws, id);
};
