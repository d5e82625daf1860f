import * as v from "valibot";
import { Somebody } from "../basics/authored.ts";
import { sha256 } from "../basics/digest.ts";
import { isId, WorkspaceId } from "../basics/ids.ts";
import { INVITED_GROUPS_MAX } from "../basics/limits.ts";
import { toIso } from "../basics/time.ts";
import { DAY_MS } from "../basics/units.ts";
import { MemberInput } from "./member.ts";
import { DEFAULT_ROLE, roles } from "./role.ts";

/*
 * An invitation is for an address. A person who signs in with that address is asked, and joins with one press; until
 * then it gives nobody access. It names a person only by the address, which is shown to owners and to that person
 * alone.
 */

/** How long an invitation can be accepted; sending it again restarts this time. */
export const INVITATION_DAYS = 30;
export const INVITATION_MS = INVITATION_DAYS * DAY_MS;

/** How many emails about invitations are sent within a day (UTC): to one address, by one person, for one workspace, by the stage. */
export const INVITATION_MAILS_A_DAY = { address: 3, person: 100, workspace: 300, stage: 1_000 } as const;

/** Two spellings of an address that differ only in case are one, as in the user pool. */
export const sameAddress = (email: string): string => email.toLowerCase();

/** The address in a form that identifies nobody, for keys. */
export const addressHash = async (email: string): Promise<string> =>
  Buffer.from(await sha256(sameAddress(email))).toString("hex");

const groupIds = v.pipe(
  v.array(
    v.pipe(
      v.string("groupIds must be a list of ids of groups."),
      v.check((id) => isId("grp", id), "groupIds must be a list of ids of groups, such as grp_0123456789abcdef."),
    ),
    "groupIds must be a list of ids of groups.",
  ),
  v.maxLength(INVITED_GROUPS_MAX, `groupIds must have at most ${INVITED_GROUPS_MAX} groups.`),
);

export const InvitationInput = v.strictObject({
  email: MemberInput.entries.email,
  role: v.optional(v.picklist(roles, `role must be one of ${roles.join(", ")}.`), DEFAULT_ROLE),
  groupIds: v.optional(groupIds, []),
});
export type InvitationInput = v.InferOutput<typeof InvitationInput>;

const entries = {
  id: v.string(),
  email: v.string(),
  role: v.picklist(roles),
  groupIds: v.array(v.string()),
  createdAt: v.string(),
  expiresAt: v.string(),
};

/**
 * As stored. `createdBy`: the id of the author; null: the operator. `acceptedBy`: the id of a person who has begun
 * to accept, and was not a member then.
 */
export const Invitation = v.object({
  ...entries,
  workspaceId: WorkspaceId,
  createdBy: v.nullable(v.string()),
  acceptedBy: v.optional(v.string()),
});
export type Invitation = v.InferOutput<typeof Invitation>;

/** As shown to owners. */
export const InvitationView = v.object({ ...entries, createdBy: v.nullable(Somebody) });
export type InvitationView = v.InferOutput<typeof InvitationView>;

/** As answered to its sender. `mailed`: whether an email informs the invited person. */
export const SentInvitation = v.object({ ...InvitationView.entries, mailed: v.boolean() });
export type SentInvitation = v.InferOutput<typeof SentInvitation>;

/** As shown to the invited person. */
export const OwnInvitation = v.object({
  id: v.string(),
  workspace: v.object({ id: WorkspaceId, name: v.string() }),
  role: v.picklist(roles),
  invitedBy: v.nullable(Somebody),
  expiresAt: v.string(),
});
export type OwnInvitation = v.InferOutput<typeof OwnInvitation>;

/** The workspace that a person has joined. */
export const Joined = v.object({ workspaceId: WorkspaceId });

export const isOpen = ({ expiresAt }: Pick<Invitation, "expiresAt">, now: number): boolean => toIso(now) < expiresAt;

export const toInvitationView = (
  { id, email, role, groupIds, createdAt, expiresAt, createdBy }: Invitation,
  called: (userId: string | null) => Somebody | null,
): InvitationView => ({ id, email, role, groupIds, createdAt, expiresAt, createdBy: called(createdBy) });
