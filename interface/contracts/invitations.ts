import { InvitationInput } from "../../core/domain/people/invitation.ts";
import { after, get, gone, type Operations, put, query, remove, update } from "../contract.ts";

export const reads = {
  listInvitations: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/invitations",
    role: "owner",
    summary: "List open invitations",
    query: [after],
    answers: { 200: { shape: ["Invitation"], description: "Unexpired invitations, the oldest first." } },
    access: { table: [get, query] },
  },
  listMyInvitations: {
    method: "GET",
    path: "/v1/invitations",
    summary: "List my invitations",
    description: "Invitations to the caller's email address, if the user pool has verified the address.",
    query: [after],
    answers: { 200: { shape: ["OwnInvitation"], description: "The invitations, in no particular order." } },
    access: { table: [get, query], asksUserPool: true },
    forPeople: true,
  },
} as const satisfies Operations;

export const writes = {
  createInvitation: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/invitations",
    role: "owner",
    summary: "Invite somebody by email address",
    description:
      "A person who signs in with this email address can accept the invitation. A second invitation replaces the first, for 30 " +
      "more days. `mailed` says whether an email was sent. If the stage sends email, it sends at most three a day to an address and 300 " +
      "for a workspace. An invitation creates no account: accounts come from the operator or from single sign-on.",
    body: InvitationInput,
    answers: {
      201: { shape: "SentInvitation", description: "Invited." },
      200: { shape: "SentInvitation", description: "The person was already invited; the invitation is replaced." },
    },
    refuses: ["already_member", "limit_reached"],
    access: { table: [get, query, put, update], sendsMail: true, knowsBaseUrl: true },
  },
  deleteInvitation: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}/invitations/{invitationId}",
    role: "owner",
    summary: "Withdraw an invitation",
    answers: gone,
    access: { table: [get, put, remove] },
  },
  acceptInvitation: {
    method: "POST",
    path: "/v1/invitations/{invitationId}/accept",
    summary: "Accept an invitation",
    description:
      "Makes the caller a member with the role and in the groups that the invitation names. Only the invited person can " +
      "accept; others get 404. A person who is already a member keeps their role.",
    answers: { 200: { shape: "Joined", description: "The workspace that the caller has joined." } },
    refuses: ["not_found", "limit_reached"],
    access: { table: [get, query, put, update, remove], asksUserPool: true },
    forPeople: true,
  },
} as const satisfies Operations;
