import { expect, it } from "vitest";
import { interpretWebPushAnswer } from "../../../../core/push/web/outcome-of-answer.ts";

const foreign = { code: "VAPID_KEY_MISMATCH", proven: false };
const google =
  "the VAPID credentials in the authorization header do not correspond to the credentials used to create the subscriptions.";
const googleOnce =
  "the key in the authorization header does not correspond to the sender ID used to subscribe this user.";
const microsoft = (text: string) => ({ "x-wns-error-description": `JWT Authentication Failed, ${text}` });

/*
 * The meaning of a push service's answers for a device: `unregistered` removes it, `foreign` notifies its owner, `auth`
 * raises the alarm, `retry` is retried, `invalid` ends the attempt. A wrong row would remove working browsers, or push to
 * dead ones for ever.
 */
it.each([
  [200, "without details", "accepted", "", { messageId: "" }],
  [201, "the message's URL", "accepted", { location: "/m/1" }, { messageId: "/m/1" }],
  [204, "without details", "accepted", "", { messageId: "" }],
  // A broken answer without a status.
  [0, "a broken answer", "invalid", "", { code: "HTTP_0" }],
  [300, "without details", "invalid", "", { code: "HTTP_300" }],
  [301, "a redirect", "invalid", { location: "https://evil.example/" }, { code: "HTTP_301" }],
  [400, "without details", "invalid", "", { code: "HTTP_400" }],
  [400, "Apple's reason BadJwtToken", "auth", '{"reason":"BadJwtToken"}', { code: "HTTP_400" }],
  [400, "the text UnauthorizedRegistration", "auth", "UnauthorizedRegistration", { code: "HTTP_400" }],
  [401, "without details", "auth", "", { code: "HTTP_401" }],
  [403, "without details", "auth", "", { code: "HTTP_403" }],
  [404, "without details", "unregistered", "", {}],
  [408, "without details", "retry", "", { code: "HTTP_408" }],
  [410, "without details", "unregistered", "", {}],
  [413, "without details", "invalid", "", { code: "HTTP_413" }],
  // Reasons about keys count only with a status that means refusal.
  [413, "Apple's reason BadJwtToken", "invalid", '{"reason":"BadJwtToken"}', { code: "HTTP_413" }],
  [413, "Apple's reason VapidPkHashMismatch", "invalid", '{"reason":"VapidPkHashMismatch"}', { code: "HTTP_413" }],
  [429, "Retry-After: 7", "retry", { "retry-after": "7" }, { code: "HTTP_429", retryAfterMs: 7_000 }],
  [429, "without details", "retry", "", { code: "HTTP_429", retryAfterMs: 60_000 }],
  [499, "without details", "invalid", "", { code: "HTTP_499" }],
  [500, "without details", "retry", "", { code: "HTTP_500" }],
  [503, "Retry-After: 3", "retry", { "retry-after": "3" }, { code: "HTTP_503", retryAfterMs: 3_000 }],
  // Answers about a subscription with another key, as Apple, Mozilla, Google and Microsoft phrase them, and about a refused
  // signature.
  [400, "Apple's reason VapidPkHashMismatch", "foreign", '{"reason":"VapidPkHashMismatch"}', foreign],
  [403, "Apple's reason BadJwtToken", "auth", '{"reason":"BadJwtToken"}', { code: "HTTP_403" }],
  [401, "Mozilla: another key", "foreign", '{"code":401,"errno":109,"message":"VAPID public key mismatch"}', foreign],
  [
    401,
    "Mozilla: an old token",
    "auth",
    '{"errno":109,"message":"Invalid bearer token: Auth expired"}',
    { code: "HTTP_401" },
  ],
  [403, "Google: another key", "foreign", google, foreign],
  [403, "Google: another key, former text", "foreign", googleOnce, foreign],
  [403, "Google: an invalid token", "auth", "permission denied: invalid JWT provided", { code: "HTTP_403" }],
  [401, "Microsoft: another key", "foreign", microsoft("public key does not match that of the channel Url"), foreign],
  [401, "Microsoft: a bad signature", "auth", microsoft("unable to validate token signature"), { code: "HTTP_401" }],
] as const)("a push service's answer %i (%s) means the outcome %j", (status, _, kind, answer, details) => {
  const [headers, body] = typeof answer === "string" ? [{}, answer] : [answer, ""];
  expect(interpretWebPushAnswer(status, headers, body, 0)).toStrictEqual({ kind, ...details });
});
