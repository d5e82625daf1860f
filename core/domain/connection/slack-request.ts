import * as v from "valibot";
import { hmacSha256, isSameText } from "../basics/hmac.ts";
import { WorkspaceId } from "../basics/ids.ts";
import { MINUTE_MS, SECOND_MS } from "../basics/units.ts";
import type { SlackApp } from "./slack-app.ts";

/*
 * Requests of Slack. Each is signed over its time and its raw body with the secret of its app; nothing else says where it
 * comes from. https://docs.slack.dev/authentication/verifying-requests-from-slack
 */

/** A request that is older than this is refused: somebody may have recorded it. */
const OLD_AFTER_MS = 300 * SECOND_MS;

export type SignedRequest = { body: string; timestamp: string; signature: string };

/** `v0=` and the signature of a body at a time in seconds. */
export const slackSignature = async (signingSecret: string, timestamp: string, body: string): Promise<string> =>
  `v0=${(await hmacSha256(signingSecret, `v0:${timestamp}:${body}`)).toString("hex")}`;

/** The app whose secret signed a request, at this moment; undefined for an unsigned or old request. */
export const signerOf = async (
  apps: readonly SlackApp[],
  { body, timestamp, signature }: SignedRequest,
  nowMs: number,
): Promise<SlackApp | undefined> => {
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs - Number(timestamp) * SECOND_MS) > OLD_AFTER_MS) return undefined;
  for (const app of apps)
    if (isSameText(await slackSignature(app.signingSecret, timestamp, body), signature)) return app;
  return undefined;
};

export const PRESSES = ["acknowledge", "resolve"] as const;

/** The data of a button about the event. */
export const pressValue = (workspaceId: WorkspaceId, eventId: string): string => `${workspaceId}/${eventId}`;

const Value = v.pipe(v.string(), v.regex(/^ws_\w{1,64}\/evt_\w{1,64}$/));

/** The press of one of our buttons, from Slack's payload. */
export const Press = v.object({
  type: v.literal("block_actions"),
  user: v.object({ id: v.pipe(v.string(), v.regex(/^[UW][A-Z0-9]{1,20}$/)), username: v.optional(v.string(), "") }),
  team: v.object({ id: v.pipe(v.string(), v.regex(/^[TE][A-Z0-9]{1,20}$/)) }),
  channel: v.object({ id: v.pipe(v.string(), v.regex(/^[A-Z0-9]{1,30}$/)) }),
  actions: v.tupleWithRest([v.object({ action_id: v.picklist(PRESSES), value: Value })], v.unknown()),
});
export type Press = v.InferOutput<typeof Press>;

/** The press in the form that Slack posts; undefined for anything else that it sends. */
export const readPress = (body: string): Press | undefined => {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Press), new URLSearchParams(body).get("payload"));
  return parsed.success ? parsed.output : undefined;
};

/** A Slack account, in one workspace of this service. */
export const SlackPerson = v.object({
  workspaceId: WorkspaceId,
  team: v.string(),
  user: v.string(),
  /** The name in Slack, for the person who is asked whether it is theirs. */
  name: v.string(),
});
export type SlackPerson = v.InferOutput<typeof SlackPerson>;

/** A link that links a Slack account to a member is valid for this long. */
const TIE_MINUTES = 10;
const Tie = v.object({ ...SlackPerson.entries, until: v.number() });

const tieSignature = async ({ signingSecret }: SlackApp, text: string): Promise<string> =>
  (await hmacSha256(signingSecret, `tie:${text}`)).toString("hex");

/** A token for a Slack account that has pressed a button, for the link that only that person sees. */
export const tieToken = async (app: SlackApp, person: SlackPerson, nowMs: number): Promise<string> => {
  const text = Buffer.from(JSON.stringify({ ...person, until: nowMs + TIE_MINUTES * MINUTE_MS })).toString("base64url");
  return `${text}.${await tieSignature(app, text)}`;
};

/** The account of such a token, at this moment; undefined for an invalid or expired one. */
export const readTie = async (
  apps: readonly SlackApp[],
  token: string,
  nowMs: number,
): Promise<SlackPerson | undefined> => {
  const [text = "", signature = ""] = token.split(".", 2);
  for (const app of apps) {
    if (!isSameText(await tieSignature(app, text), signature)) continue;
    const tie = v.safeParse(v.pipe(v.string(), v.parseJson(), Tie), Buffer.from(text, "base64url").toString("utf8"));
    if (!tie.success || tie.output.until < nowMs) return undefined;
    const { until: _until, ...person } = tie.output;
    return person;
  }
  return undefined;
};

/** Links a Slack account to the caller: the token from the link. */
export const SlackAccountInput = v.strictObject({
  token: v.pipe(v.string("token must be a string."), v.maxLength(2_000, "token is too long.")),
});
/** The caller's account in Slack. */
export const SlackAccount = v.object({ team: v.string(), user: v.string(), name: v.string(), tiedAt: v.string() });
export type SlackAccount = v.InferOutput<typeof SlackAccount>;
