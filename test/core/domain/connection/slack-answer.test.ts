import { expect, it } from "vitest";
import { parseSlackAnswer, explainSlackError } from "../../../../core/domain/connection/slack-answer.ts";

const answered = (body: object | string, status = 200) => ({
  kind: "answered" as const,
  status,
  body: typeof body === "string" ? body : JSON.stringify(body),
});

it.each([
  [answered({ ok: true, ts: "1.2" }), { kind: "taken", code: "SLACK_OK", ts: "1.2" }],
  [answered({ ok: false }), { kind: "refused", code: "SLACK_UNKNOWN" }],
  [answered({ ok: false, error: "x".repeat(61) }), { kind: "refused", code: `SLACK_${"X".repeat(60)}` }],
  [answered({ ok: false, error: "new" }, 500), { kind: "failed", code: "SLACK_NEW" }],
  [answered({ ok: false, error: "channel_not_found" }), { kind: "gone", code: "SLACK_CHANNEL_NOT_FOUND" }],
  [answered({ ok: false, error: "not_in_channel" }), { kind: "gone" }],
  [answered({ ok: false, error: "no_such_subteam" }), { kind: "gone", code: "SLACK_NO_SUCH_SUBTEAM" }],
  [answered({ ok: false, error: "permission_denied" }), { kind: "failed", needsSomebody: true }],
  [answered({ ok: false, error: "plan_upgrade_required" }), { kind: "failed", needsSomebody: true }],
  [answered({ ok: false, error: "missing_scope" }), { kind: "failed", needsSomebody: true }],
  [answered({ ok: false, error: "invalid_users" }), { kind: "refused", code: "SLACK_INVALID_USERS" }],
  [answered({ ok: false, error: "token_revoked" }), { kind: "failed", needsSomebody: true }],
  [answered({ ok: false, error: "invalid_auth" }), { kind: "failed", needsSomebody: true }],
  [answered({ ok: false, error: "message_not_found" }), { kind: "message_gone" }],
  [answered({ ok: false, error: "invalid_blocks" }), { kind: "refused", code: "SLACK_INVALID_BLOCKS" }],
  [answered({ ok: false, error: "internal_error" }), { kind: "failed", code: "SLACK_INTERNAL_ERROR" }],
  [answered({ ok: false, error: "an <odd>\nname" }), { kind: "refused", code: "SLACK_AN__ODD__NAME" }],
  [answered({ ok: false, error: "something_new" }, 503), { kind: "failed" }],
  [answered({ ok: false, error: "ratelimited" }), { kind: "failed", code: "SLACK_RATELIMITED", isPaced: true }],
  [answered("<html>", 502), { kind: "failed", code: "HTTP_502" }],
  [answered("<html>"), { kind: "failed", code: "HTTP_200" }],
  [
    { ...answered("", 429), retryAfterMs: 30_000 },
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
