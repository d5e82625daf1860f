import { CoverInput } from "../../core/domain/shifts/cover.ts";
import { after, batch, get, type Operations, put, query, remove, update } from "../contract.ts";

export const reads = {
  listCovers: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/groups/{groupId}/on-call/covers",
    role: "viewer",
    summary: "List the covers of a group",
    query: [after],
    answers: {
      200: { shape: ["Cover"], description: "Ordered by start. A cover is listed until 28 days after its end." },
    },
    access: { table: [get, batch, query] },
  },
  listMyCovers: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/covers/mine",
    role: "viewer",
    forPeople: true,
    summary: "List my covers",
    query: [after],
    answers: {
      200: {
        shape: ["Cover"],
        description:
          "Covers of the caller's own shifts, covers that the caller took, and covers that the caller can take.",
      },
    },
    access: { table: [get, batch, query] },
  },
} as const satisfies Operations;

const change = {
  method: "POST",
  role: "responder",
  forPeople: true,
  refuses: ["cover_closed"],
  access: { table: [get, batch, query, put, update, remove], sendsTo: ["events"] },
} as const;

export const writes = {
  askForCover: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/groups/{groupId}/on-call/covers",
    role: "responder",
    summary: "Ask for cover",
    description:
      "Asks each member of the group who has a device, is not on call during the shift, and keeps `restHours` of rest. " +
      "Each of them gets one silent notification, not at night. A manager may ask on behalf of the person on call. " +
      "With `inReturn`, the colleague gives a shift in return. If nobody has taken the shift `remindHours` before it " +
      "begins, the managers of the group are notified.",
    body: CoverInput,
    answers: {
      201: { shape: "Cover", description: "Asked for." },
      200: { shape: "Cover", description: "A cover for the same person and time was open already; it is returned." },
    },
    refuses: ["limit_reached"],
    access: change.access,
  },
  takeCover: {
    ...change,
    path: "/v1/workspaces/{workspaceId}/covers/{coverId}/take",
    summary: "Take a cover",
    description:
      "The first person to accept takes the shift, and an override puts them on call. With `inReturn`, both shifts are swapped, or neither is.",
    answers: { 200: { shape: "Cover" } },
    refuses: ["cover_closed", "cannot_cover", "limit_reached"],
  },
  withdrawCover: {
    ...change,
    path: "/v1/workspaces/{workspaceId}/covers/{coverId}/withdraw",
    summary: "Withdraw a cover",
    description:
      "The person on call, the person who took the shift, the person who asked and managers can withdraw a cover until one of its shifts begins. Both shifts of a swap are undone together.",
    answers: { 200: { shape: "Cover" } },
  },
  declineCover: {
    ...change,
    path: "/v1/workspaces/{workspaceId}/covers/{coverId}/decline",
    summary: "Decline a cover",
    answers: { 200: { shape: "Cover" } },
  },
} as const satisfies Operations;
