import { SlackAccountInput } from "../../core/domain/connection/slack-request.ts";
import { tableActions } from "../access.ts";
import { get, gone, type Operations, put, query, remove, update } from "../contract.ts";

export const writes = {
  tieSlackAccount: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/slack-account",
    role: "viewer",
    forPeople: true,
    summary: "Say who one is in Slack",
    description:
      "Whoever presses a button in Slack without being tied to a member is shown a link, good for ten minutes, whose fragment " +
      "holds the token. From then on a press of that person there is the caller's.",
    body: SlackAccountInput,
    answers: { 201: { shape: "SlackAccount" } },
    access: { table: [get, put], callsSlack: true },
  },
  untieSlackAccount: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}/slack-account",
    role: "viewer",
    forPeople: true,
    summary: "Untie one's account in Slack",
    description: "Also answered so where there is none.",
    answers: gone,
    access: { table: [get, query, put, update, remove] },
  },
} as const satisfies Operations;

export const takePress = {
  takePress: {
    method: "POST",
    path: "/v1/slack/presses",
    auth: "signature",
    summary: "Take a press from Slack",
    description:
      "The request URL of the Slack app: a form with `payload`, signed in X-Slack-Signature over X-Slack-Request-Timestamp, which may be " +
      "five minutes old, and the body. Everything that is not signed gets the same answer.",
    answers: { 200: { shape: "PressTaken", description: "It was taken; what came of it shows in Slack." } },
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
