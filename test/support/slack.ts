import type { Deps } from "../../core/deps.ts";
import type { CallSlack, SlackAnswer } from "../../core/domain/connection/slack-answer.ts";
import type { SlackApp } from "../../core/domain/connection/slack-app.ts";
import { signSlackRequest } from "../../core/domain/connection/slack-request.ts";
import { processPress } from "../../core/flow/respond/take-press.ts";
import { createChannels, type Rooms } from "../../local/slack/channels.ts";

export const slackApp: SlackApp = {
  botToken: "xoxb-1-tests-only",
  signingSecret: "0123456789abcdef0123456789abcdef",
  workspaces: ["*"],
};

export const createSlackStandIn = (
  now: () => number,
): { workspace: Rooms; takeCall: (...call: Parameters<CallSlack>) => SlackAnswer } => {
  const workspace = createChannels({ botToken: slackApp.botToken, now });
  return {
    workspace,
    takeCall: ({ method, token, body }) => {
      const {
        status,
        retryAfterSeconds,
        body: said,
      } = workspace.call(method, `Bearer ${token}`, JSON.parse(JSON.stringify(body)));
      return {
        kind: "answered",
        status,
        body: JSON.stringify(said),
        retryAfterMs: retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000,
      };
    },
  };
};

type Pressed = { deps: Parameters<typeof processPress>[0] & Pick<Deps, "now">; slack: Rooms };
type Button = { user?: string; secret?: string; ageSeconds?: number; channel?: string };

/** Presses a button of the first message in a channel. */
export const pressInSlack = async ({ deps, slack }: Pressed, actionId: string, button: Button = {}) => {
  const { user = "U0BOB", secret = slackApp.signingSecret, ageSeconds = 0, channel = "C0123456789" } = button;
  const ts = slack.channels.get(channel)?.[0]?.ts ?? "";
  const payload = {
    type: "block_actions",
    user: { id: user, username: "bob" },
    team: { id: "T0TEST" },
    channel: { id: channel },
    actions: [{ action_id: actionId, value: slack.buttonOf(channel, ts, actionId) }],
  };
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const timestamp = String(Math.floor(deps.now() / 1000) - ageSeconds);
  return processPress(deps, { body, timestamp, signature: await signSlackRequest(secret, timestamp, body) });
};

/** Returns the token with which the person who pressed last can link the Slack account. */
export const readLinkToken = ({ slack }: Pick<Pressed, "slack">): string =>
  /#tie=([^|>]+)/.exec(slack.ephemeral.at(-1)?.text ?? "")?.[1] ?? "";
