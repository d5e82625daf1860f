import type { CallSlack, SlackAnswer } from "../../core/domain/connection/slack-answer.ts";
import type { SlackApp } from "../../core/domain/connection/slack-app.ts";
import { createChannels, type Rooms } from "../../local/slack/rooms.ts";

export const slackApp: SlackApp = {
  botToken: "xoxb-1-tests-only",
  signingSecret: "0123456789abcdef0123456789abcdef",
  workspaces: ["*"],
};

export const slackRooms = (
  now: () => number,
): { rooms: Rooms; take: (...call: Parameters<CallSlack>) => SlackAnswer } => {
  const rooms = createChannels({ botToken: slackApp.botToken, now });
  return {
    rooms,
    take: ({ method, token, body }) => {
      const {
        status,
        retryAfterSeconds,
        body: said,
      } = rooms.call(method, `Bearer ${token}`, JSON.parse(JSON.stringify(body)));
      return {
        kind: "answered",
        status,
        body: JSON.stringify(said),
        retryAfterMs: retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000,
      };
    },
  };
};
