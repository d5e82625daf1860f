import * as v from "valibot";
import { hmacSha256, isSameSecret } from "../basics/hmac.ts";
import { WorkspaceId } from "../basics/ids.ts";
import { MINUTE_MS, SECOND_MS } from "../basics/units.ts";
import type { SlackApp } from "./slack-app.ts";

/* Signature: https://docs.slack.dev/authentication/verifying-requests-from-slack */

/** The age from which requests are refused, because an old request may be the replay of a recorded request. */
const OLD_AFTER_MS = 300 * SECOND_MS;

export type SignedRequest = { body: string; timestamp: string; signature: string };

/** Returns the signature after the prefix `v0=`. `timestamp`: in seconds. */
export const signSlackRequest = async (signingSecret: string, timestamp: string, body: string): Promise<string> =>
  `v0=${(await hmacSha256(signingSecret, `v0:${timestamp}:${body}`)).toString("hex")}`;

/** Returns the app whose secret signed the request; undefined if none did, or the request is old. */
export const findSigningApp = async (
  apps: readonly SlackApp[],
  { body, timestamp, signature }: SignedRequest,
  nowMs: number,
): Promise<SlackApp | undefined> => {
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs - Number(timestamp) * SECOND_MS) > OLD_AFTER_MS) return undefined;
  for (const app of apps)
    if (isSameSecret(await signSlackRequest(app.signingSecret, timestamp, body), signature)) return app;
  return undefined;
};

export const PRESSES = ["acknowledge", "resolve"] as const;

export const encodeButtonValue = (workspaceId: WorkspaceId, eventId: string): string => `${workspaceId}/${eventId}`;

const Value = v.pipe(v.string(), v.regex(/^ws_\w{1,64}\/evt_\w{1,64}$/));

export const Press = v.object({
  type: v.literal("block_actions"),
  user: v.object({ id: v.pipe(v.string(), v.regex(/^[UW][A-Z0-9]{1,20}$/)), username: v.optional(v.string(), "") }),
  team: v.object({ id: v.pipe(v.string(), v.regex(/^[TE][A-Z0-9]{1,20}$/)) }),
  channel: v.object({ id: v.pipe(v.string(), v.regex(/^[A-Z0-9]{1,30}$/)) }),
  actions: v.tupleWithRest([v.object({ action_id: v.picklist(PRESSES), value: Value })], v.unknown()),
});
export type Press = v.InferOutput<typeof Press>;

/** Parses the form that Slack sends when a button is pressed. Returns undefined for any other body. */
export const parseButtonPress = (body: string): Press | undefined => {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Press), new URLSearchParams(body).get("payload"));
  return parsed.success ? parsed.output : undefined;
};

/** The Slack account of a person, for one workspace of this service. */
export const SlackPerson = v.object({
  workspaceId: WorkspaceId,
  team: v.string(),
  user: v.string(),
  /** The account's name, which the person sees before confirming the link. */
  name: v.string(),
});
export type SlackPerson = v.InferOutput<typeof SlackPerson>;

/** How long a member can use a link token. */
const TIE_MINUTES = 10;
const Tie = v.object({ ...SlackPerson.entries, until: v.number() });

const signLinkText = async ({ signingSecret }: SlackApp, text: string): Promise<string> =>
  (await hmacSha256(signingSecret, `tie:${text}`)).toString("hex");

/** Creates a token, which Slack shows only to `person`. The token can link the Slack account to a member for ten minutes. */
export const createLinkToken = async (app: SlackApp, person: SlackPerson, nowMs: number): Promise<string> => {
  const text = Buffer.from(JSON.stringify({ ...person, until: nowMs + TIE_MINUTES * MINUTE_MS })).toString("base64url");
  return `${text}.${await signLinkText(app, text)}`;
};

/** Returns the Slack account that the token names; undefined if the token is invalid or expired. */
export const verifyLinkToken = async (
  apps: readonly SlackApp[],
  token: string,
  nowMs: number,
): Promise<SlackPerson | undefined> => {
  const [text = "", signature = ""] = token.split(".", 2);
  for (const app of apps) {
    if (!isSameSecret(await signLinkText(app, text), signature)) continue;
    const tie = v.safeParse(v.pipe(v.string(), v.parseJson(), Tie), Buffer.from(text, "base64url").toString("utf8"));
    if (!tie.success || tie.output.until < nowMs) return undefined;
    const { until: _until, ...person } = tie.output;
    return person;
  }
  return undefined;
};

export const SlackAccountInput = v.strictObject({
  token: v.pipe(v.string("token must be a string."), v.maxLength(2_000, "token is too long.")),
});
export const SlackAccount = v.object({ team: v.string(), user: v.string(), name: v.string(), tiedAt: v.string() });
export type SlackAccount = v.InferOutput<typeof SlackAccount>;
