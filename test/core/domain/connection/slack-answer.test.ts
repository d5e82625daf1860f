import { expect, it } from "vitest";
import { parseSlackAnswer, explainSlackError } from "../../../../core/domain/connection/slack-answer.ts";

const anAnswer = (body: object | string, status = 200) => ({
  kind: "answered" as const,
  status,
  body: typeof body === "string" ? body : JSON.stringify(body),
});

it.each([
  [anAnswer({ ok: true, ts: "1.2" }), { kind: "taken", code: "SLACK_OK", ts: "1.2" }],
  [anAnswer({ ok: false }), { kind: "refused", code: "SLACK_UNKNOWN" }],
  [anAnswer({ ok: false, error: "x".repeat(61) }), { kind: "refused", code: `SLACK_${"X".repeat(60)}` }],
  [anAnswer({ ok: false, error: "new" }, 500), { kind: "failed", code: "SLACK_NEW" }],
  [anAnswer({ ok: false, error: "channel_not_found" }), { kind: "gone", code: "SLACK_CHANNEL_NOT_FOUND" }],
  [anAnswer({ ok: false, error: "not_in_channel" }), { kind: "gone" }],
  [anAnswer({ ok: false, error: "no_such_subteam" }), { kind: "gone", code: "SLACK_NO_SUCH_SUBTEAM" }],
  [anAnswer({ ok: false, error: "permission_denied" }), { kind: "failed", needsSomebody: true }],
  [anAnswer({ ok: false, error: "plan_upgrade_required" }), { kind: "failed", needsSomebody: true }],
  [anAnswer({ ok: false, error: "missing_scope" }), { kind: "failed", needsSomebody: true }],
  [anAnswer({ ok: false, error: "invalid_users" }), { kind: "refused", code: "SLACK_INVALID_USERS" }],
  [anAnswer({ ok: false, error: "token_revoked" }), { kind: "failed", needsSomebody: true }],
  [anAnswer({ ok: false, error: "invalid_auth" }), { kind: "failed", needsSomebody: true }],
  [anAnswer({ ok: false, error: "message_not_found" }), { kind: "message_gone" }],
  [anAnswer({ ok: false, error: "invalid_blocks" }), { kind: "refused", code: "SLACK_INVALID_BLOCKS" }],
  [anAnswer({ ok: false, error: "internal_error" }), { kind: "failed", code: "SLACK_INTERNAL_ERROR" }],
  [anAnswer({ ok: false, error: "an <odd>\nname" }), { kind: "refused", code: "SLACK_AN__ODD__NAME" }],
  [anAnswer({ ok: false, error: "something_new" }, 503), { kind: "failed" }],
  [anAnswer({ ok: false, error: "ratelimited" }), { kind: "failed", code: "SLACK_RATELIMITED", isPaced: true }],
  [anAnswer("<html>", 502), { kind: "failed", code: "HTTP_502" }],
  [anAnswer("<html>"), { kind: "failed", code: "HTTP_200" }],
  [
    { ...anAnswer("", 429), retryAfterMs: 30_000 },
    { kind: "failed", code: "HTTP_429", isPaced: true, retryAfterMs: 30_000 },
  ],
  [
    { kind: "failed" as const, code: "DEADLINE" },
    { kind: "failed", code: "DEADLINE" },
  ],
])("Slack's answer %j means %j", (answer, outcome) => {
  expect(parseSlackAnswer(answer)).toMatchObject(outcome);
});

it("a Slack error that needs action by a person is explained", () => {
  expect(explainSlackError("SLACK_IS_ARCHIVED")).toContain("archived");
  expect(explainSlackError("SLACK_INVALID_AUTH")).toBe(explainSlackError("SLACK_TOKEN_REVOKED"));
  expect(explainSlackError("HTTP_500")).toBeUndefined();
});
