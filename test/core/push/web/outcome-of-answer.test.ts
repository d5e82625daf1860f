import { expect, it } from "vitest";
import { interpretWebPushAnswer } from "../../../../core/push/web/outcome-of-answer.ts";

const foreign = { kind: "foreign", code: "VAPID_KEY_MISMATCH", proven: false };
const google =
  "the VAPID credentials in the authorization header do not correspond to the credentials used to create the subscriptions.";
const googleOnce =
  "the key in the authorization header does not correspond to the sender ID used to subscribe this user.";
const microsoftHeaders = (text: string) => ({ "x-wns-error-description": `JWT Authentication Failed, ${text}` });

/*
 * The meaning of a push service's answers for a device: `unregistered` removes it, `foreign` notifies its owner, `auth`
 * raises the alarm, `retry` is retried, `invalid` ends the attempt. A wrong row would remove working browsers, or push to
 * dead ones for ever.
 */
it.each([
  [200, {}, "", { kind: "accepted", messageId: "" }],
  [201, { location: "/m/1" }, "", { kind: "accepted", messageId: "/m/1" }],
  [204, {}, "", { kind: "accepted", messageId: "" }],
  // A broken answer without a status.
  [0, {}, "", { kind: "invalid", code: "HTTP_0" }],
  [300, {}, "", { kind: "invalid", code: "HTTP_300" }],
  [301, { location: "https://evil.example/" }, "", { kind: "invalid", code: "HTTP_301" }],
  [400, {}, "", { kind: "invalid", code: "HTTP_400" }],
  [400, {}, '{"reason":"BadJwtToken"}', { kind: "auth", code: "HTTP_400" }],
  [400, {}, "UnauthorizedRegistration", { kind: "auth", code: "HTTP_400" }],
  [401, {}, "", { kind: "auth", code: "HTTP_401" }],
  [403, {}, "", { kind: "auth", code: "HTTP_403" }],
  [404, {}, "", { kind: "unregistered" }],
  [408, {}, "", { kind: "retry", code: "HTTP_408" }],
  [410, {}, "", { kind: "unregistered" }],
  [413, {}, "", { kind: "invalid", code: "HTTP_413" }],
  // Reasons about keys count only with a status that means refusal.
  [413, {}, '{"reason":"BadJwtToken"}', { kind: "invalid", code: "HTTP_413" }],
  [413, {}, '{"reason":"VapidPkHashMismatch"}', { kind: "invalid", code: "HTTP_413" }],
  [429, { "retry-after": "7" }, "", { kind: "retry", code: "HTTP_429", retryAfterMs: 7_000 }],
  [429, {}, "", { kind: "retry", code: "HTTP_429", retryAfterMs: 60_000 }],
  [499, {}, "", { kind: "invalid", code: "HTTP_499" }],
  [500, {}, "", { kind: "retry", code: "HTTP_500" }],
  [503, { "retry-after": "3" }, "", { kind: "retry", code: "HTTP_503", retryAfterMs: 3_000 }],
  // Answers about a subscription with another key, as Apple, Mozilla, Google and Microsoft phrase them, and about a refused
  // signature.
  [400, {}, '{"reason":"VapidPkHashMismatch"}', foreign],
  [403, {}, '{"reason":"BadJwtToken"}', { kind: "auth", code: "HTTP_403" }],
  [401, {}, '{"code":401,"errno":109,"message":"VAPID public key mismatch"}', foreign],
  [401, {}, '{"errno":109,"message":"Invalid bearer token: Auth expired"}', { kind: "auth", code: "HTTP_401" }],
  [403, {}, google, foreign],
  [403, {}, googleOnce, foreign],
  [403, {}, "permission denied: invalid JWT provided", { kind: "auth", code: "HTTP_403" }],
  [401, microsoftHeaders("public key does not match that of the channel Url"), "", foreign],
  [401, microsoftHeaders("unable to validate token signature"), "", { kind: "auth", code: "HTTP_401" }],
] as const)(
  "a push service's answer with the status %i, the headers %j and the body %j means the outcome %j",
  (status, headers, body, outcome) => {
    expect(interpretWebPushAnswer(status, headers, body, 0)).toStrictEqual(outcome);
  },
);
