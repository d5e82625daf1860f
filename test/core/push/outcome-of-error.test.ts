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
const foreign = { code: "SENDER_ID_MISMATCH", proven: false };
const statusBody = (text: string) => ({ error: { status: text } });

/*
 * The meaning of FCM's answers for a device: `unregistered` removes it, `foreign` notifies its owner, `auth` raises the
 * alarm, `retry` is retried, `unknown` is repeated once, `invalid` ends the attempt.
 */
it.each([
  ["404 with the error UNREGISTERED", "unregistered", fcmError(404, errorCodeBody("UNREGISTERED")), {}],
  // Status 404 means a missing project, not a dead device, unless FCM's own error detail says UNREGISTERED.
  ["404 alone", "auth", fcmError(404), { code: "HTTP_404" }],
  ["404 with the status NOT_FOUND", "auth", fcmError(404, statusBody("NOT_FOUND")), { code: "NOT_FOUND" }],
  [
    "404 with another service's error UNREGISTERED",
    "auth",
    fcmError(404, errorCodeBody("UNREGISTERED", "NOT_FOUND", "type.example/Other")),
    { code: "NOT_FOUND" },
  ],
  ["403 with the error SENDER_ID_MISMATCH", "foreign", fcmError(403, errorCodeBody("SENDER_ID_MISMATCH")), foreign],
  ["401 alone", "auth", fcmError(401), { code: "HTTP_401" }],
  ["403 with a body that is not JSON", "auth", fcmError(403, "no JSON"), { code: "HTTP_403" }],
  ["429 alone", "retry", fcmError(429), { code: "HTTP_429", retryAfterMs: 60_000 }],
  [
    "429 with Retry-After: 7",
    "retry",
    fcmError(429, {}, { "retry-after": "7" }),
    { code: "HTTP_429", retryAfterMs: 7000 },
  ],
  ["408 alone", "retry", fcmError(408), { code: "HTTP_408" }],
  ["500 alone", "retry", fcmError(500), { code: "HTTP_500" }],
  [
    "503 with UNAVAILABLE and Retry-After: 2",
    "retry",
    fcmError(503, errorCodeBody("UNAVAILABLE"), { "retry-after": "2" }),
    { code: "UNAVAILABLE", retryAfterMs: 2000 },
  ],
  // FCM may have accepted the message although a gateway reports an error, or although its answer is malformed.
  ["501 alone", "unknown", fcmError(501), { code: "HTTP_501" }],
  ["502 alone", "unknown", fcmError(502), { code: "HTTP_502" }],
  ["200 with a body that is not JSON", "unknown", fcmError(200, "garbled"), { code: "HTTP_200" }],
  ["400 alone", "invalid", fcmError(400), { code: "HTTP_400" }],
  ["413 alone", "invalid", fcmError(413), { code: "HTTP_413" }],
  // Only codes are passed on: other texts may contain a token.
  [
    "400 with a text before its status",
    "invalid",
    fcmError(400, statusBody("phone INVALID_ARGUMENT")),
    { code: "HTTP_400" },
  ],
  [
    "400 with a text after its status",
    "invalid",
    fcmError(400, statusBody("INVALID_ARGUMENT phone")),
    { code: "HTTP_400" },
  ],
  ["of the FCM client itself", "invalid", { code: "messaging/invalid-payload" }, { code: "REFUSED_BY_CLIENT" }],
])("an FCM send that gets the answer %s has the outcome %j", (_, kind, thrown, details) => {
  expect(interpretError(thrown, true, NOW)).toStrictEqual({ kind, ...details });
});

it.each([
  ["a lost connection", { code: "app/network-error", cause: { code: "ECONNRESET" } }, "ECONNRESET"],
  ["an unknown network error", { code: "app/network-error", cause: { code: "token of a phone" } }, "NETWORK"],
  ["an error without a code", new Error("token of a phone"), "NETWORK"],
  ["a rejection without an error", undefined, "NETWORK"],
])(
  "after %s, an FCM send has an unknown outcome if FCM may have received it, or else is retried",
  (_, thrown, code) => {
    expect(interpretError(thrown, true, NOW)).toStrictEqual({ kind: "unknown", code });
    expect(interpretError(thrown, false, NOW)).toStrictEqual({ kind: "retry", code });
  },
);
