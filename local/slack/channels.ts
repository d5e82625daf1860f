import * as v from "valibot";
import { createTokenBucket } from "../bucket.ts";
import { createSlackRefusal, type SlackAnswer, createSlackRateLimitAnswer } from "./answers.ts";
import { createUserGroups } from "./user-groups.ts";
import { toIso } from "../../core/domain/basics/time.ts";

/*
 * Checks requests as strictly as Slack: https://docs.slack.dev/reference/methods/chat.postMessage and
 * https://docs.slack.dev/reference/block-kit
 */

const createTextSchema = (maxLength: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(maxLength));
const createPlainTextSchema = (maxLength: number) =>
  v.strictObject({ type: v.literal("plain_text"), text: createTextSchema(maxLength), emoji: v.optional(v.boolean()) });
const Mrkdwn = v.strictObject({ type: v.literal("mrkdwn"), text: createTextSchema(3_000) });

const Text = v.variant("type", [createPlainTextSchema(3_000), Mrkdwn]);
const RichText = v.variant("type", [
  v.strictObject({ type: v.literal("emoji"), name: v.pipe(v.string(), v.regex(/^[a-z_]+$/)) }),
  v.strictObject({ type: v.literal("text"), text: createTextSchema(3_000) }),
  v.strictObject({
    type: v.literal("link"),
    url: v.pipe(createTextSchema(3_000), v.url()),
    text: createTextSchema(3_000),
    style: v.optional(v.strictObject({ bold: v.optional(v.boolean()) })),
  }),
]);

const Button = v.strictObject({
  type: v.literal("button"),
  action_id: createTextSchema(255),
  text: createPlainTextSchema(75),
  value: v.optional(createTextSchema(2_000)),
  url: v.optional(v.pipe(createTextSchema(3_000), v.url())),
  style: v.optional(v.picklist(["primary", "danger"])),
});
const Block = v.variant("type", [
  v.strictObject({
    type: v.literal("rich_text"),
    elements: v.array(v.strictObject({ type: v.literal("rich_text_section"), elements: v.array(RichText) })),
  }),
  v.strictObject({ type: v.literal("section"), text: Text }),
  v.strictObject({ type: v.literal("context"), elements: v.pipe(v.array(Text), v.minLength(1), v.maxLength(10)) }),
  v.strictObject({
    type: v.literal("actions"),
    elements: v.pipe(
      v.array(Button),
      v.minLength(1),
      v.maxLength(25),
      v.check((buttons) => new Set(buttons.map(({ action_id: id }) => id)).size === buttons.length),
    ),
  }),
]);

const content = {
  channel: v.string(),
  text: v.pipe(v.string(), v.minLength(1, "no_text"), v.maxLength(40_000, "msg_too_long")),
  blocks: v.optional(v.pipe(v.array(Block), v.maxLength(50))),
  unfurl_links: v.optional(v.boolean()),
  unfurl_media: v.optional(v.boolean()),
};
const calls = {
  "chat.postMessage": v.strictObject(content),
  "chat.update": v.strictObject({ ...content, ts: v.string() }),
  "chat.postEphemeral": v.strictObject({ ...content, user: v.string() }),
};
type Method = keyof typeof calls;
const isMethod = (name: string): name is Method => Object.hasOwn(calls, name);

const USER_GROUPS = "usergroups.users.update";
/** The scopes that docs/slack.md asks for. */
export const SCOPES = ["chat:write", "chat:write.public", "usergroups:write"];
const findRequiredScope = (method: Method | typeof USER_GROUPS): string =>
  method === USER_GROUPS ? "usergroups:write" : "chat:write";

export type ChannelMessage = {
  ts: string;
  receivedAt: string;
  text: string;
  blocks: v.InferOutput<typeof Block>[];
  edits: number;
  editedAt: string | null;
};

/** The number of messages in a burst. A channel accepts about one message per second. */
const BURST = 3;

/** Returns the first issue's message that is an error name of Slack, such as `no_text`; by default `invalid_arguments`. */
const findErrorName = (issues: readonly { message: string }[]): string =>
  issues.map(({ message }) => message).find((message) => /^[a-z]+(?:_[a-z]+)+$/.test(message)) ?? "invalid_arguments";

/** The error that Slack returns, by the end of a channel's id. */
const faultsByEnd: Readonly<Record<string, string>> = {
  "0001": "channel_not_found",
  "0002": "is_archived",
  "0003": "not_in_channel",
};

/** The end of the id of a channel that refuses every call, with a time to retry. */
const THROTTLED = "0004";
const THROTTLED_SECONDS = 30;

/** Creates a stand-in for Slack's channels. The end of a channel's id selects an error. */
export const createChannels = ({ botToken, now }: { botToken: string; now: () => number }) => {
  const channels = new Map<string, ChannelMessage[]>();
  const ephemeral: { channel: string; user: string; text: string; receivedAt: string }[] = [];
  const buckets = new Map<string, () => boolean>();
  const userGroups = createUserGroups(now);
  const scopes = new Set(SCOPES);
  let count = 0;

  /** Counts a call of the channel. Returns false if the call exceeds the rate limit. */
  const isBelowRateLimit = (channel: string): boolean => {
    const bucket = buckets.get(channel) ?? createTokenBucket(BURST, 1000, now);
    buckets.set(channel, bucket);
    return bucket();
  };

  const postMessage = (channel: string, text: string, blocks: ChannelMessage["blocks"]): SlackAnswer => {
    count += 1;
    const ts = `${Math.floor(now() / 1000)}.${String(count).padStart(6, "0")}`;
    const message = { ts, receivedAt: toIso(now()), text, blocks, edits: 0, editedAt: null };
    channels.set(channel, [...(channels.get(channel) ?? []), message]);
    return { status: 200, body: { ok: true, channel, ts, message: { text, blocks } } };
  };

  const editMessage = (channel: string, ts: string, text: string, blocks: ChannelMessage["blocks"]): SlackAnswer => {
    const message = channels.get(channel)?.find((one) => one.ts === ts);
    if (message === undefined) return createSlackRefusal("message_not_found");
    Object.assign(message, { text, blocks, edits: message.edits + 1, editedAt: toIso(now()) });
    return { status: 200, body: { ok: true, channel, ts, text } };
  };

  /** Returns an error if the channel's id selects an error or the rate limit is exceeded; otherwise the result of `answer`. */
  const answerInChannel = (channel: string, answer: () => SlackAnswer): SlackAnswer => {
    if (!/^[CG][A-Z0-9]+$/.test(channel)) return createSlackRefusal("channel_not_found");
    const fault = faultsByEnd[channel.slice(-4)];
    if (fault !== undefined) return createSlackRefusal(fault);
    if (channel.endsWith(THROTTLED)) return createSlackRateLimitAnswer(THROTTLED_SECONDS);
    return isBelowRateLimit(channel) ? answer() : createSlackRateLimitAnswer(1);
  };

  const answerMethod = (method: Method, input: unknown): SlackAnswer => {
    const parsed = v.safeParse(calls[method], input);
    if (!parsed.success) return createSlackRefusal(findErrorName(parsed.issues));
    const call = parsed.output;
    const { channel, text, blocks = [] } = call;
    if ("user" in call) {
      ephemeral.push({ channel, user: call.user, text, receivedAt: toIso(now()) });
      return { status: 200, body: { ok: true, message_ts: String(now()) } };
    }
    return answerInChannel(channel, () =>
      "ts" in call ? editMessage(channel, call.ts, text, blocks) : postMessage(channel, text, blocks),
    );
  };

  return {
    call: (method: string, authorization: string, input: unknown): SlackAnswer => {
      if (method !== USER_GROUPS && !isMethod(method)) return createSlackRefusal("unknown_method");
      if (authorization === "") return createSlackRefusal("not_authed");
      if (authorization !== `Bearer ${botToken}`) return createSlackRefusal("invalid_auth");
      const needed = findRequiredScope(method);
      if (!scopes.has(needed)) {
        const said = { ok: false, error: "missing_scope", needed, provided: [...scopes].join(",") };
        return { status: 200, body: said };
      }
      return method === USER_GROUPS ? userGroups.update(input) : answerMethod(method, input);
    },
    scopes,
    userGroups: userGroups.groups,
    channels,
    ephemeral,
    buttonOf: (channel: string, ts: string, actionId: string): string | undefined =>
      channels
        .get(channel)
        ?.find((one) => one.ts === ts)
        ?.blocks.flatMap((block) => (block.type === "actions" ? block.elements : []))
        .find(({ action_id: id }) => id === actionId)?.value,
  };
};
export type Rooms = ReturnType<typeof createChannels>;
