import * as v from "valibot";
import { Somebody } from "../basics/authored.ts";
import { sha256 } from "../basics/digest.ts";
import { isId, WorkspaceId } from "../basics/ids.ts";
import { INVITED_GROUPS_MAX } from "../basics/limits.ts";
import { toIso } from "../basics/time.ts";
import { DAY_MS } from "../basics/units.ts";
import { MemberInput } from "./member.ts";
import { DEFAULT_ROLE, roles } from "./role.ts";

/* An invitation gives no access before it is accepted. Only owners and the invited person can see the invited address. */

/** How long an invitation is valid. Inviting the same address again restarts the period. */
export const INVITATION_DAYS = 30;
export const INVITATION_MS = INVITATION_DAYS * DAY_MS;

/** Daily limits (UTC) per address, person, workspace and stage. */
export const INVITATION_MAILS_A_DAY = { address: 3, person: 100, workspace: 300, stage: 1_000 } as const;

/** Returns the address in lower case, because the user pool ignores case, too. */
export const normalizeEmail = (email: string): string => email.toLowerCase();

/** Hashes the address for the keys of items, which must not identify anybody. */
export const hashEmail = async (email: string): Promise<string> =>
  Buffer.from(await sha256(normalizeEmail(email))).toString("hex");

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

/** `createdBy`: null for the operator. `acceptedBy`: a person who has started to accept and was not a member before. */
export const Invitation = v.object({
  ...entries,
  workspaceId: WorkspaceId,
  createdBy: v.nullable(v.string()),
  acceptedBy: v.optional(v.string()),
});
export type Invitation = v.InferOutput<typeof Invitation>;

export const InvitationView = v.object({ ...entries, createdBy: v.nullable(Somebody) });
export type InvitationView = v.InferOutput<typeof InvitationView>;

export const SentInvitation = v.object({ ...InvitationView.entries, mailed: v.boolean() });
export type SentInvitation = v.InferOutput<typeof SentInvitation>;

export const OwnInvitation = v.object({
  id: v.string(),
  workspace: v.object({ id: WorkspaceId, name: v.string() }),
  role: v.picklist(roles),
  invitedBy: v.nullable(Somebody),
  expiresAt: v.string(),
});
export type OwnInvitation = v.InferOutput<typeof OwnInvitation>;

export const Joined = v.object({ workspaceId: WorkspaceId });

export const isInvitationOpen = ({ expiresAt }: Pick<Invitation, "expiresAt">, now: number): boolean =>
  toIso(now) < expiresAt;

export const toInvitationView = (
  { id, email, role, groupIds, createdAt, expiresAt, createdBy }: Invitation,
  findPerson: (userId: string | null) => Somebody | null,
): InvitationView => ({ id, email, role, groupIds, createdAt, expiresAt, createdBy: findPerson(createdBy) });
