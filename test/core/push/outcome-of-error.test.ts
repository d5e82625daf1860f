import { expect, it } from "vitest";
import { interpretError } from "../../../core/push/outcome-of-error.ts";

const NOW = Date.UTC(2023, 10, 14, 22, 13, 20);
const FCM = "type.googleapis.com/google.firebase.fcm.v1.FcmError";

/** Returns the error that firebase-admin throws for an answer of FCM. The error's own code is less precise than the answer. */
const fcmError = (status: number, data: unknown = {}, headers: Record<string, unknown> = {}) => ({
  code: "messaging/registration-token-not-registered",
  httpResponse: { status, headers, data },
});
const errorCodeBody = (errorCode: string, status?: string, type = FCM) => ({
  error: { ...(status === undefined ? {} : { status }), details: [{ "@type": type, errorCode }] },
});
const statusBody = (text: string) => ({ error: { status: text } });

/*
 * The meaning of FCM's answers for a device: `unregistered` removes it, `foreign` notifies its owner, `auth` raises the
 * alarm, `retry` is retried, `unknown` is repeated once, `invalid` ends the attempt.
 */
it.each([
  [fcmError(404, errorCodeBody("UNREGISTERED")), { kind: "unregistered" }],
  // Status 404 means a missing project, not a dead device, unless FCM's own error detail says UNREGISTERED.
  [fcmError(404), { kind: "auth", code: "HTTP_404" }],
  [fcmError(404, statusBody("NOT_FOUND")), { kind: "auth", code: "NOT_FOUND" }],
  [
    fcmError(404, errorCodeBody("UNREGISTERED", "NOT_FOUND", "type.example/Other")),
    { kind: "auth", code: "NOT_FOUND" },
  ],
  [fcmError(403, errorCodeBody("SENDER_ID_MISMATCH")), { kind: "foreign", code: "SENDER_ID_MISMATCH", proven: false }],
  [fcmError(401), { kind: "auth", code: "HTTP_401" }],
  [fcmError(403, "no JSON"), { kind: "auth", code: "HTTP_403" }],
  [fcmError(429), { kind: "retry", code: "HTTP_429", retryAfterMs: 60_000 }],
  [fcmError(429, {}, { "retry-after": "7" }), { kind: "retry", code: "HTTP_429", retryAfterMs: 7000 }],
  [fcmError(408), { kind: "retry", code: "HTTP_408" }],
  [fcmError(500), { kind: "retry", code: "HTTP_500" }],
  [
    fcmError(503, errorCodeBody("UNAVAILABLE"), { "retry-after": "2" }),
    { kind: "retry", code: "UNAVAILABLE", retryAfterMs: 2000 },
  ],
  // FCM may have accepted the message although a gateway reports an error, or although its answer is malformed.
  [fcmError(501), { kind: "unknown", code: "HTTP_501" }],
  [fcmError(502), { kind: "unknown", code: "HTTP_502" }],
  [fcmError(200, "garbled"), { kind: "unknown", code: "HTTP_200" }],
  [fcmError(400), { kind: "invalid", code: "HTTP_400" }],
  [fcmError(413), { kind: "invalid", code: "HTTP_413" }],
  // Only codes are passed on: other texts may contain a token.
  [fcmError(400, statusBody("phone INVALID_ARGUMENT")), { kind: "invalid", code: "HTTP_400" }],
  [fcmError(400, statusBody("INVALID_ARGUMENT phone")), { kind: "invalid", code: "HTTP_400" }],
  [{ code: "messaging/invalid-payload" }, { kind: "invalid", code: "REFUSED_BY_CLIENT" }],
])("the error %j of an FCM send means the outcome %j", (thrown, outcome) => {
  expect(interpretError(thrown, true, NOW)).toStrictEqual(outcome);
});

it.each([
  [{ code: "app/network-error", cause: { code: "ECONNRESET" } }, "ECONNRESET"],
  [{ code: "app/network-error", cause: { code: "token of a phone" } }, "NETWORK"],
  [new Error("token of a phone"), "NETWORK"],
  [undefined, "NETWORK"],
])(
  "an FCM send without an answer has an unknown outcome if FCM may have received it, or else is retried (error: %j)",
  (thrown, code) => {
    expect(interpretError(thrown, true, NOW)).toStrictEqual({ kind: "unknown", code });
    expect(interpretError(thrown, false, NOW)).toStrictEqual({ kind: "retry", code });
  },
);
