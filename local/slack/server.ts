import type { IncomingMessage, ServerResponse } from "node:http";
import * as v from "valibot";
import type { SlackApp } from "../../core/domain/connection/slack-app.ts";
import { signSlackRequest } from "../../core/domain/connection/slack-request.ts";
import { readText } from "../body.ts";
import { replyJson } from "../reply.ts";
import { createChannels } from "./channels.ts";

const ROOT = "/local/slack";
const API = `${ROOT}/api/`;
const INBOX = `${ROOT}/inbox`;
const TEAM = { id: "T0LOCAL", domain: "local" };

const Pressing = v.strictObject({ channel: v.string(), ts: v.string(), actionId: v.string(), user: v.string() });

const Named = v.looseObject({ channel: v.optional(v.string()), usergroup: v.optional(v.string()) });

const toUserName = (user: string): string => user.toLowerCase();

/** Creates a stand-in for Slack. `POST inboxUrl/press` presses a button: sends a signed request, like Slack, to `baseUrl`. */
export const createSlackService = ({
  baseUrl,
  app,
  now,
  onMessage,
}: {
  baseUrl: string;
  app: SlackApp;
  now: () => number;
  onMessage?: (what: string) => void;
}) => {
  const rooms = createChannels({ botToken: app.botToken, now });

  const handleMethodCall = async (
    request: IncomingMessage,
    response: ServerResponse,
    method: string,
  ): Promise<void> => {
    const input = v.safeParse(v.pipe(v.string(), v.parseJson()), await readText(request));
    const { status, body, retryAfterSeconds } = rooms.call(
      method,
      request.headers.authorization ?? "",
      input.success ? input.output : undefined,
    );
    const named = v.safeParse(Named, input.success ? input.output : undefined);
    if (status === 200 && named.success)
      onMessage?.(`${method} ${named.output.channel ?? named.output.usergroup ?? ""}`);
    replyJson(
      response,
      status,
      body,
      retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) },
    );
  };

  const sendPressToService = async ({ channel, ts, actionId, user }: v.InferOutput<typeof Pressing>, value: string) => {
    const message = rooms.channels.get(channel)?.find((one) => one.ts === ts);
    const payload = {
      type: "block_actions",
      user: { id: user, username: toUserName(user), name: toUserName(user), team_id: TEAM.id },
      api_app_id: "A0LOCAL",
      team: TEAM,
      channel: { id: channel, name: "local" },
      container: { type: "message", message_ts: ts, channel_id: channel, is_ephemeral: false },
      message: { type: "message", ts, text: message?.text, blocks: message?.blocks },
      actions: [{ type: "button", action_id: actionId, block_id: "local", value, action_ts: ts }],
    };
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    const timestamp = String(Math.floor(now() / 1000));
    const answer = await fetch(`${baseUrl}/v1/slack/presses`, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "x-slack-request-timestamp": timestamp,
        "x-slack-signature": await signSlackRequest(app.signingSecret, timestamp, body),
      },
      body,
    });
    return { status: answer.status };
  };

  const handlePress = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Pressing), await readText(request));
    if (!parsed.success) return replyJson(response, 400, { error: v.summarize(parsed.issues) });
    const { channel, ts, actionId } = parsed.output;
    const value = rooms.buttonOf(channel, ts, actionId);
    if (value === undefined)
      return replyJson(response, 404, { error: `the message ${ts} in ${channel} has no button ${actionId}` });
    return replyJson(response, 200, await sendPressToService(parsed.output, value));
  };

  const readInbox = () => ({
    messages: Object.fromEntries(rooms.channels),
    ephemeral: rooms.ephemeral,
    userGroups: Object.fromEntries(rooms.userGroups),
  });

  return {
    apiUrl: baseUrl + API,
    inboxUrl: baseUrl + INBOX,
    serve: (request: IncomingMessage, response: ServerResponse): boolean => {
      const { pathname } = new URL(request.url ?? "/", baseUrl);
      if (!pathname.startsWith(`${ROOT}/`)) return false;
      const breakConnection = () => response.destroy();
      if (request.method === "POST" && pathname.startsWith(API))
        handleMethodCall(request, response, pathname.slice(API.length)).catch(breakConnection);
      else if (request.method === "POST" && pathname === `${INBOX}/press`)
        handlePress(request, response).catch(breakConnection);
      else if (request.method === "GET" && pathname === INBOX) replyJson(response, 200, readInbox());
      else if (request.method === "DELETE" && pathname === INBOX) {
        rooms.channels.clear();
        rooms.ephemeral.length = 0;
        rooms.userGroups.clear();
        replyJson(response, 200, readInbox());
      } else replyJson(response, 404, { error: `unknown request; use GET or DELETE ${INBOX}, or POST ${INBOX}/press` });
      return true;
    },
  };
};
