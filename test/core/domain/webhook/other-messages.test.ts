import { describe, expect, it } from "vitest";
import type { AuditView } from "../../../../core/domain/workspace/audit.ts";
import {
  formatAuditMessageId,
  buildAuditMessage,
  formatOnCallMessageId,
  buildOnCallMessage,
} from "../../../../core/domain/webhook/other-messages.ts";

const group = { workspaceId: "ws_1" as const, groupId: "grp_ops", name: "Ops" };
const parseMessage = (message: string): unknown => JSON.parse(message);

describe("a webhook message about who is on call", () => {
  it("has the change number in its id, so that the same change has the same id", () => {
    expect(formatOnCallMessageId("grp_ops", 7)).toBe("msg_grp_ops_7");
  });

  it("names at most ten people who are on call and ten who were before, and counts all of them", () => {
    const crowd = Array.from({ length: 12 }, (_, index) => `usr_${index}`);
    const change = { sequence: 7, at: Date.UTC(2026, 10, 21, 12), told: 0, onCall: crowd, before: ["usr_gone"] };
    const message = parseMessage(
      buildOnCallMessage(group, change, (userId) => (userId === "usr_gone" ? "" : `Name of ${userId}`)),
    );

    expect(message).toEqual({
      type: "oncall.changed",
      timestamp: "2026-11-21T12:00:00.000Z",
      data: {
        sequence: 7,
        workspaceId: "ws_1",
        groupId: "grp_ops",
        groupName: "Ops",
        onCall: crowd.slice(0, 10).map((id) => ({ id, name: `Name of ${id}` })),
        onCallCount: 12,
        before: [{ id: "usr_gone", name: "" }],
        beforeCount: 1,
      },
    });
  });
});

describe("a webhook message about the audit trail", () => {
  const entry: AuditView = {
    id: "aud_1",
    at: "2026-11-21T12:00:00.000Z",
    actor: { id: "usr_ann", name: "Ann" },
    via: "console",
    action: "updated",
    target: { kind: "rule", id: "rule_1", name: "Orders" },
    before: { name: "secret of old", enabled: true },
    after: { conditions: "secret of now", name: "x" },
    onCall: null,
    requestId: "req_1",
  };
  const fieldsOf = (fields: Partial<AuditView>) =>
    (parseMessage(buildAuditMessage("ws_1", 9, { ...entry, ...fields })) as { data: { fields: string[] } }).data.fields;

  it("has the id of its audit entry in its id", () => {
    expect(formatAuditMessageId("aud_1")).toBe("msg_aud_1");
  });

  it("says who changed which fields of what, without the values", () => {
    const { before: _before, after: _after, onCall: _onCall, id, at, ...said } = entry;
    const message = buildAuditMessage("ws_1", 9, entry);

    expect(parseMessage(message)).toEqual({
      type: "audit.recorded",
      timestamp: at,
      data: { ...said, sequence: 9, workspaceId: "ws_1", auditId: id, fields: ["conditions", "enabled", "name"] },
    });
    expect(message).not.toContain("secret");
  });

  it("names the fields of a created or deleted item", () => {
    expect(fieldsOf({ before: null })).toEqual(["conditions", "name"]);
    expect(fieldsOf({ after: null })).toEqual(["enabled", "name"]);
  });
});
