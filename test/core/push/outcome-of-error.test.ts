import { expect, it } from "vitest";
import { interpretError } from "../../../core/push/outcome-of-error.ts";

const NOW = Date.UTC(2023, 10, 14, 22, 13, 20);
const FCM = "type.googleapis.com/google.firebase.fcm.v1.FcmError";

/** The error that firebase-admin throws for an answer of FCM: its own code is less precise than the answer. */
const answered = (status: number, data: unknown = {}, headers: Record<string, unknown> = {}) => ({
  code: "messaging/registration-token-not-registered",
  httpResponse: { status, headers, data },
});
const says = (errorCode: string, status?: string, type = FCM) => ({
  error: { ...(status === undefined ? {} : { status }), details: [{ "@type": type, errorCode }] },
});
const status = (text: string) => ({ error: { status: text } });

/*
 * The meaning of FCM's answers for a device: `unregistered` removes it, `foreign` notifies its owner, `auth` raises the
 * alarm, `retry` is retried, `unknown` is repeated once, `invalid` ends the attempt.
 */
it.each([
  [answered(404, says("UNREGISTERED")), { kind: "unregistered" }],
  // A missing project does not mean a dead device, and neither does an error detail of another service.
  [answered(404), { kind: "auth", code: "HTTP_404" }],
  [answered(404, status("NOT_FOUND")), { kind: "auth", code: "NOT_FOUND" }],
  [answered(404, says("UNREGISTERED", "NOT_FOUND", "type.example/Other")), { kind: "auth", code: "NOT_FOUND" }],
  [answered(403, says("SENDER_ID_MISMATCH")), { kind: "foreign", code: "SENDER_ID_MISMATCH", proven: false }],
  [answered(401), { kind: "auth", code: "HTTP_401" }],
  [answered(403, "no JSON"), { kind: "auth", code: "HTTP_403" }],
  [answered(429), { kind: "retry", code: "HTTP_429", retryAfterMs: 60_000 }],
  [answered(429, {}, { "retry-after": "7" }), { kind: "retry", code: "HTTP_429", retryAfterMs: 7000 }],
  [answered(408), { kind: "retry", code: "HTTP_408" }],
  [answered(500), { kind: "retry", code: "HTTP_500" }],
  [
    answered(503, says("UNAVAILABLE"), { "retry-after": "2" }),
    { kind: "retry", code: "UNAVAILABLE", retryAfterMs: 2000 },
  ],
  // It is unknown whether a server behind a gateway accepted the message, and so is the meaning of a malformed success.
  [answered(501), { kind: "unknown", code: "HTTP_501" }],
  [answered(502), { kind: "unknown", code: "HTTP_502" }],
  [answered(200, "garbled"), { kind: "unknown", code: "HTTP_200" }],
  [answered(400), { kind: "invalid", code: "HTTP_400" }],
  [answered(413), { kind: "invalid", code: "HTTP_413" }],
  // Only codes are passed on: other texts may contain a token.
  [answered(400, status("phone INVALID_ARGUMENT")), { kind: "invalid", code: "HTTP_400" }],
  [answered(400, status("INVALID_ARGUMENT phone")), { kind: "invalid", code: "HTTP_400" }],
  [{ code: "messaging/invalid-payload" }, { kind: "invalid", code: "REFUSED_BY_CLIENT" }],
])("an error of an FCM send decides whether the push may be sent again: %j", (thrown, outcome) => {
  expect(interpretError(thrown, true, NOW)).toStrictEqual(outcome);
});

it.each([
  [{ code: "app/network-error", cause: { code: "ECONNRESET" } }, "ECONNRESET"],
  [{ code: "app/network-error", cause: { code: "token of a phone" } }, "NETWORK"],
  [new Error("token of a phone"), "NETWORK"],
  [undefined, "NETWORK"],
])("for an FCM send without an answer, %j is unknown if it may have arrived, and retried if not", (thrown, code) => {
  expect(interpretError(thrown, true, NOW)).toStrictEqual({ kind: "unknown", code });
  expect(interpretError(thrown, false, NOW)).toStrictEqual({ kind: "retry", code });
});
