import { InvitationInput } from "../../core/domain/people/invitation.ts";
import { after, get, gone, type Operations, put, query, remove, update } from "../contract.ts";

export const reads = {
  listInvitations: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/invitations",
    role: "owner",
    summary: "List open invitations",
    query: [after],
    answers: { 200: { shape: ["Invitation"], description: "The oldest first. Those that are over are not shown." } },
    access: { table: [get, query] },
  },
  listMyInvitations: {
    method: "GET",
    path: "/v1/invitations",
    summary: "List what one is invited to",
    description: "The invitations to the address that the user pool has verified of the caller.",
    query: [after],
    answers: { 200: { shape: ["OwnInvitation"], description: "In no particular order." } },
    access: { table: [get, query], asksUserPool: true },
    forPeople: true,
  },
} as const satisfies Operations;

export const writes = {
  createInvitation: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/invitations",
    role: "owner",
    summary: "Invite somebody by e-mail address",
    description:
      "Whoever signs in with this address is asked, and joins with one press. Invited again, they are offered what is asked now, for 30 " +
      "more days. `mailed` says whether a mail has gone: only where the stage sends mail, and at most three a day to an address and 300 " +
      "for a workspace. Accounts are the operator's, or those of the single sign-on: an invitation makes none.",
    body: InvitationInput,
    answers: {
      201: { shape: "SentInvitation", description: "Invited." },
      200: { shape: "SentInvitation", description: "The address was invited already; the invitation is as asked now." },
    },
    refuses: ["already_member", "limit_reached"],
    access: { table: [get, query, put, update], sendsMail: true, knowsBaseUrl: true },
  },
  deleteInvitation: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}/invitations/{invitationId}",
    role: "owner",
    summary: "Take an invitation back",
    answers: gone,
    access: { table: [get, put, remove] },
  },
  acceptInvitation: {
    method: "POST",
    path: "/v1/invitations/{invitationId}/accept",
    summary: "Accept an invitation",
    description:
      "Makes the caller a member with the role and in the groups that the invitation names. Who is a member already keeps their " +
      "role. Anybody whom it is not for is answered 404.",
    answers: { 200: { shape: "Joined", description: "The workspace that the caller is a member of from now on." } },
    refuses: ["not_found", "limit_reached"],
    access: { table: [get, query, put, update, remove], asksUserPool: true },
    forPeople: true,
  },
} as const satisfies Operations;
