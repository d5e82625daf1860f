import { describe, expect, it } from "vitest";
import {
  createOperatorAuthor,
  createAuditEntry,
  matchesAuditFilter,
  type AuditEntry,
  type AuditFilter,
} from "../../../../core/domain/workspace/audit.ts";

const anEntry = (fields: Partial<AuditEntry> = {}): AuditEntry => ({
  id: "aud_1",
  seq: 1,
  at: 0,
  previous: { at: 0, digest: "" },
  digest: "",
  userId: "usr_ann",
  via: "console",
  requestId: "req_1",
  action: "updated",
  target: { kind: "rule", id: "rule_1", name: "Orders" },
  before: {},
  after: {},
  ...fields,
});

describe("an entry of the audit trail", () => {
  it.each<[string, AuditFilter, boolean]>([
    ["matches a filter without fields", {}, true],
    ["matches a filter for its actor", { actor: "usr_ann" }, true],
    ["does not match a filter for another actor", { actor: "usr_bob" }, false],
    ["does not match a filter for the operator if a person acted", { actor: "operator" }, false],
    ["matches a filter for its action", { action: "updated" }, true],
    ["does not match a filter for another action", { action: "deleted" }, false],
    ["matches a filter for the kind of its target", { target: "rule" }, true],
    ["matches a filter for the id of its target", { target: "rule_1" }, true],
    ["does not match a filter for another kind of target", { target: "group" }, false],
    ["does not match a filter for the id of another target", { target: "rule_2" }, false],
    ["does not match a filter for the name of its target", { target: "Orders" }, false],
    ["matches a filter that it meets entirely", { actor: "usr_ann", action: "updated", target: "rule_1" }, true],
    ["does not match if only the actor differs", { actor: "usr_bob", action: "updated", target: "rule_1" }, false],
    ["does not match if only the action differs", { actor: "usr_ann", action: "created", target: "rule_1" }, false],
  ])("%s", (_title, filter, meant) => {
    expect(matchesAuditFilter(anEntry(), filter)).toBe(meant);
  });

  it("is attributed to the operator if no person is named", () => {
    expect(matchesAuditFilter(anEntry({ userId: null }), { actor: "operator" })).toBe(true);
    expect(matchesAuditFilter(anEntry({ userId: null }), { actor: "usr_ann" })).toBe(false);
  });
});

it("an audit entry has no account if a command of the operator made the change", () => {
  expect(createOperatorAuthor("req_1")).toEqual({ userId: null, via: "operator", requestId: "req_1" });
});

describe("the change in an audit entry", () => {
  const target = { kind: "group" as const, id: "grp_1", name: "Ops" };
  const own = { id: "grp_1", workspaceId: "ws_1", version: 1, createdAt: "", createdBy: null, updatedAt: "" };

  it("has all fields of a created or deleted item, except the fields that every item has", () => {
    const group = { ...own, name: "Ops", note: undefined };

    expect(createAuditEntry(target, undefined, group)).toStrictEqual({
      action: "created",
      target,
      before: null,
      after: { name: "Ops" },
    });
    expect(createAuditEntry(target, group, undefined)).toEqual({
      action: "deleted",
      target,
      before: { name: "Ops" },
      after: null,
    });
  });

  it("has the fields that differ, with null for a value that was or is absent", () => {
    const before = { ...own, name: "Ops", tags: ["a", "b"], gone: 1 };
    const after = { ...own, version: 2, updatedAt: "now", name: "Operations", tags: ["a", "b"], fresh: true };

    expect(createAuditEntry(target, before, after)).toEqual({
      action: "updated",
      target,
      before: { name: "Ops", gone: 1, fresh: null },
      after: { name: "Operations", gone: null, fresh: true },
    });
  });
});
