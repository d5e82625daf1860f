import * as v from "valibot";
import { hmacSha256, isSameSecret } from "../basics/hmac.ts";
import { WorkspaceId } from "../basics/ids.ts";
import { MINUTE_MS, SECOND_MS } from "../basics/units.ts";
import type { SlackApp } from "./slack-app.ts";

/*
 * Slack signs the time and the raw body with the app's secret. Only this signature proves the origin.
 * https://docs.slack.dev/authentication/verifying-requests-from-slack
 */

/** Older requests are refused, because they may be recorded and replayed. */
const OLD_AFTER_MS = 300 * SECOND_MS;

export type SignedRequest = { body: string; timestamp: string; signature: string };

/** Returns `v0=` and the signature. The time is in seconds. */
export const signSlackRequest = async (signingSecret: string, timestamp: string, body: string): Promise<string> =>
  `v0=${(await hmacSha256(signingSecret, `v0:${timestamp}:${body}`)).toString("hex")}`;

/** Returns undefined if the request is unsigned or old. */
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

/** Identifies the event. */
export const encodeButtonValue = (workspaceId: WorkspaceId, eventId: string): string => `${workspaceId}/${eventId}`;

const Value = v.pipe(v.string(), v.regex(/^ws_\w{1,64}\/evt_\w{1,64}$/));

/** A person pressed one of the service's buttons. */
export const Press = v.object({
  type: v.literal("block_actions"),
  user: v.object({ id: v.pipe(v.string(), v.regex(/^[UW][A-Z0-9]{1,20}$/)), username: v.optional(v.string(), "") }),
  team: v.object({ id: v.pipe(v.string(), v.regex(/^[TE][A-Z0-9]{1,20}$/)) }),
  channel: v.object({ id: v.pipe(v.string(), v.regex(/^[A-Z0-9]{1,30}$/)) }),
  actions: v.tupleWithRest([v.object({ action_id: v.picklist(PRESSES), value: Value })], v.unknown()),
});
export type Press = v.InferOutput<typeof Press>;

/** Parses Slack's form. Returns undefined for any other request. */
export const parseButtonPress = (body: string): Press | undefined => {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Press), new URLSearchParams(body).get("payload"));
  return parsed.success ? parsed.output : undefined;
};

/** The account belongs to one workspace of this service. */
export const SlackPerson = v.object({
  workspaceId: WorkspaceId,
  team: v.string(),
  user: v.string(),
  /** The person sees this name and confirms that the account is theirs. */
  name: v.string(),
});
export type SlackPerson = v.InferOutput<typeof SlackPerson>;

/** How long the link that connects an account to a member is valid. */
const TIE_MINUTES = 10;
const Tie = v.object({ ...SlackPerson.entries, until: v.number() });

const signLinkText = async ({ signingSecret }: SlackApp, text: string): Promise<string> =>
  (await hmacSha256(signingSecret, `tie:${text}`)).toString("hex");

/** The token is for the account of a person who pressed a button. Only that person sees the link. */
export const createLinkToken = async (app: SlackApp, person: SlackPerson, nowMs: number): Promise<string> => {
  const text = Buffer.from(JSON.stringify({ ...person, until: nowMs + TIE_MINUTES * MINUTE_MS })).toString("base64url");
  return `${text}.${await signLinkText(app, text)}`;
};

/** Returns undefined if the token is invalid or expired. */
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

/** The token from the link. */
export const SlackAccountInput = v.strictObject({
  token: v.pipe(v.string("token must be a string."), v.maxLength(2_000, "token is too long.")),
});
export const SlackAccount = v.object({ team: v.string(), user: v.string(), name: v.string(), tiedAt: v.string() });
export type SlackAccount = v.InferOutput<typeof SlackAccount>;
