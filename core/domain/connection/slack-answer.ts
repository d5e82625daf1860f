import * as v from "valibot";
import type { PostOutcome } from "../webhook/delivery-queue.ts";

export type SlackCall = {
  method: "chat.postMessage" | "chat.update" | "chat.postEphemeral" | "usergroups.users.update";
  token: string;
  body: object;
};
/** `failed`: no answer arrived, for the reason `code`. */
export type SlackAnswer =
  | { kind: "answered"; status: number; body: string; retryAfterMs?: number | undefined }
  | { kind: "failed"; code: string };
/** Does not throw if Slack fails. */
export type CallSlack = (call: SlackCall) => Promise<SlackAnswer>;

const Body = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ ok: v.boolean(), error: v.optional(v.string()), ts: v.optional(v.string()) }),
);

/** The channel or user group was deleted, or the app must not post to it. A retry is useless until somebody fixes the problem. */
const ABOUT_THE_CHANNEL: readonly string[] = [
  "channel_not_found",
  "is_archived",
  "not_in_channel",
  "restricted_action",
  "restricted_action_read_only_channel",
  "messages_tab_disabled",
  "no_such_subteam",
];
/** Error codes about the app or its Slack workspace. Somebody must fix the problem before messages can be posted. */
const ABOUT_THE_APP: readonly string[] = [
  "account_inactive",
  "access_denied",
  "enterprise_is_restricted",
  "invalid_auth",
  "missing_scope",
  "no_permission",
  "not_allowed_token_type",
  "not_authed",
  "org_login_required",
  "permission_denied",
  "plan_upgrade_required",
  "token_expired",
  "token_revoked",
];
/** Temporary errors, after which the message is sent again. */
const PASSING: readonly string[] = [
  "fatal_error",
  "internal_error",
  "request_timeout",
  "service_unavailable",
  "team_added_to_org",
];
const TOO_FAST: readonly string[] = ["ratelimited", "rate_limited"];
/** Error codes if the message to edit was deleted or cannot be edited. */
const MESSAGE_GONE: readonly string[] = ["message_not_found", "cant_update_message", "edit_window_closed"];

/** `ts`: Slack's id of the message. `message_gone`: the message to edit was deleted. */
export type SlackOutcome = (PostOutcome & { ts?: string | undefined }) | { kind: "message_gone"; code: string };

const toSlackErrorCode = (error: string): string => `SLACK_${error.replaceAll(/\W/g, "_").slice(0, 60).toUpperCase()}`;

export const NO_SLACK_APP: PostOutcome = { kind: "failed", code: "NO_SLACK_APP", needsSomebody: true };

/** Returns the outcome of a call, mostly from the body, because Slack's HTTP status is nearly always 200. */
export const parseSlackAnswer = (answer: SlackAnswer): SlackOutcome => {
  if (answer.kind === "failed") return answer;
  const { status, retryAfterMs } = answer;
  if (status === 429) return { kind: "failed", code: "HTTP_429", retryAfterMs, isPaced: true };
  const parsed = v.safeParse(Body, answer.body);
  if (!parsed.success) return { kind: "failed", code: `HTTP_${status}` };
  const { ok, error = "unknown", ts } = parsed.output;
  if (ok) return { kind: "taken", code: "SLACK_OK", ts };
  const code = toSlackErrorCode(error);
  if (MESSAGE_GONE.includes(error)) return { kind: "message_gone", code };
  if (ABOUT_THE_CHANNEL.includes(error)) return { kind: "gone", code };
  if (ABOUT_THE_APP.includes(error)) return { kind: "failed", code, needsSomebody: true };
  if (TOO_FAST.includes(error)) return { kind: "failed", code, retryAfterMs, isPaced: true };
  if (PASSING.includes(error) || status >= 500) return { kind: "failed", code };
  return { kind: "refused", code };
};

const SEE = "Then press Test under Integrations, Channels.";
const OTHERS =
  "The Slack account of a person on call is deactivated, a guest account, or in another Slack organisation. That person can link another account under Integrations, Channels.";
const channels: Readonly<Record<string, string>> = {
  NO_SLACK_APP: "This service has no Slack app for this workspace. Ask its operator to add one.",
  SLACK_CHANNEL_NOT_FOUND: `The Slack channel was deleted, or the channel is private and the app is not a member. Invite the app, or create another connection. ${SEE}`,
  SLACK_IS_ARCHIVED: `The channel is archived. Unarchive it, or create another connection. ${SEE}`,
  SLACK_NOT_IN_CHANNEL: `The app is not in the channel. Write /invite and the app's name there. ${SEE}`,
  SLACK_MISSING_SCOPE:
    "The Slack app lacks a permission. Ask the operator to install the app again with the scopes of the manifest.",
  SLACK_NO_SUCH_SUBTEAM: `The user group was disabled or deleted. Enable it, or create another connection. ${SEE}`,
  SLACK_PERMISSION_DENIED:
    "Only admins of this Slack workspace may change user groups. Allow everyone under Workspace settings, Permissions, User Groups; the service then tries again.",
  SLACK_PLAN_UPGRADE_REQUIRED: "User groups require a paid plan of Slack.",
  SLACK_INVALID_USERS: OTHERS,
  SLACK_FAILED_FOR_SOME_USERS: OTHERS,
  NOBODY_LINKED:
    "Each person on call has to press a button of an alert in Slack once, and sign in with the link that appears.",
  SLACK_TOKEN_REVOKED:
    "The Slack app was removed, or its token was revoked. Ask the operator to install the app again and to store the new token; waiting messages are then posted.",
};
const TOKEN_GONE: readonly string[] = [
  "SLACK_ACCOUNT_INACTIVE",
  "SLACK_INVALID_AUTH",
  "SLACK_TOKEN_EXPIRED",
  "SLACK_NOT_AUTHED",
];

export const explainSlackError = (code: string): string | undefined =>
  channels[TOKEN_GONE.includes(code) ? "SLACK_TOKEN_REVOKED" : code];
