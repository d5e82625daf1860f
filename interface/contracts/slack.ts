import { SlackAccountInput } from "../../core/domain/connection/slack-request.ts";
import { tableActions } from "../access.ts";
import { get, gone, type Operations, put, query, remove, update } from "../contract.ts";

export const writes = {
  tieSlackAccount: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/slack-account",
    role: "viewer",
    forPeople: true,
    summary: "Link my Slack account",
    description:
      "A person without a linked account who presses a button in Slack gets a link, valid for ten minutes, whose fragment " +
      "contains the token. After this call, that Slack account belongs to the caller.",
    body: SlackAccountInput,
    answers: { 201: { shape: "SlackAccount" } },
    access: { table: [get, put], callsSlack: true },
  },
  untieSlackAccount: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}/slack-account",
    role: "viewer",
    forPeople: true,
    summary: "Unlink my Slack account",
    description: "The answer is the same if no Slack account is linked.",
    answers: gone,
    access: { table: [get, query, put, update, remove] },
  },
} as const satisfies Operations;

export const takePress = {
  takePress: {
    method: "POST",
    path: "/v1/slack/presses",
    auth: "signature",
    summary: "Receive a button press from Slack",
    description:
      "The request URL of the Slack app. The body is a form with `payload`. X-Slack-Signature signs the body and " +
      "X-Slack-Request-Timestamp, which may be five minutes old. Every unsigned request gets the same answer.",
    answers: { 200: { shape: "PressTaken", description: "Accepted; the outcome shows in Slack." } },
    refuses: ["unauthenticated"],
    access: {
      table: tableActions,
      keys: [
        "workspace",
        "people",
        "packs",
        "events",
        "planParts",
        "escalations",
        "firings",
        "grouped",
        "openEvents",
        "held",
        "statistics",
        "markers",
        "slackAccounts",
      ],
      sendsTo: ["pushes", "webhooks"],
      callsSlack: true,
      knowsBaseUrl: true,
    },
  },
} as const satisfies Operations;
