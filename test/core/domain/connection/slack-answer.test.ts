import { expect, it } from "vitest";
import { parseSlackAnswer, explainSlackError } from "../../../../core/domain/connection/slack-answer.ts";

const anAnswer = (body: object | string, status = 200) => ({
  kind: "answered" as const,
  status,
  body: typeof body === "string" ? body : JSON.stringify(body),
});

it.each([
  ["channel_not_found", "gone", { code: "SLACK_CHANNEL_NOT_FOUND" }],
  ["not_in_channel", "gone", {}],
  ["no_such_subteam", "gone", { code: "SLACK_NO_SUCH_SUBTEAM" }],
  ["permission_denied", "failed", { needsSomebody: true }],
  ["plan_upgrade_required", "failed", { needsSomebody: true }],
  ["missing_scope", "failed", { needsSomebody: true }],
  ["invalid_users", "refused", { code: "SLACK_INVALID_USERS" }],
  ["token_revoked", "failed", { needsSomebody: true }],
  ["invalid_auth", "failed", { needsSomebody: true }],
  ["message_not_found", "message_gone", {}],
  ["invalid_blocks", "refused", { code: "SLACK_INVALID_BLOCKS" }],
  ["internal_error", "failed", { code: "SLACK_INTERNAL_ERROR" }],
  ["ratelimited", "failed", { code: "SLACK_RATELIMITED", isPaced: true }],
])("a call to Slack that gets the error %s has the outcome %s", (error, kind, fields) => {
  expect(parseSlackAnswer(anAnswer({ ok: false, error }))).toMatchObject({ kind, ...fields });
});

it.each([
  ["the answer that it succeeded", "taken", anAnswer({ ok: true, ts: "1.2" }), { code: "SLACK_OK", ts: "1.2" }],
  ["an error without a code", "refused", anAnswer({ ok: false }), { code: "SLACK_UNKNOWN" }],
  ["a long error code", "refused", anAnswer({ ok: false, error: "x".repeat(61) }), { code: `SLACK_${"X".repeat(60)}` }],
  [
    "an unknown error code and the status 500",
    "failed",
    anAnswer({ ok: false, error: "new" }, 500),
    { code: "SLACK_NEW" },
  ],
  ["a malformed code", "refused", anAnswer({ ok: false, error: "an <odd>\nname" }), { code: "SLACK_AN__ODD__NAME" }],
  ["an unknown error code and the status 503", "failed", anAnswer({ ok: false, error: "something_new" }, 503), {}],
  ["HTML instead of JSON, and the status 502", "failed", anAnswer("<html>", 502), { code: "HTTP_502" }],
  ["HTML instead of JSON, and the status 200", "failed", anAnswer("<html>"), { code: "HTTP_200" }],
  [
    "the status 429 and a time to wait",
    "failed",
    { ...anAnswer("", 429), retryAfterMs: 30_000 },
    { code: "HTTP_429", isPaced: true, retryAfterMs: 30_000 },
  ],
  ["no answer before the deadline", "failed", { kind: "failed" as const, code: "DEADLINE" }, { code: "DEADLINE" }],
])("a call to Slack that gets %s has the outcome %s", (_, kind, answer, fields) => {
  expect(parseSlackAnswer(answer)).toMatchObject({ kind, ...fields });
});

it("a Slack error that needs action by a person is explained", () => {
  expect(explainSlackError("SLACK_IS_ARCHIVED")).toContain("archived");
  expect(explainSlackError("SLACK_INVALID_AUTH")).toBe(explainSlackError("SLACK_TOKEN_REVOKED"));
  expect(explainSlackError("HTTP_500")).toBeUndefined();
});
