import * as v from "valibot";
import { expect, it } from "vitest";
import { toWorkspaceView, WorkspaceInput, WorkspacePatch } from "../../../../core/domain/workspace/workspace.ts";
import { names } from "../support.ts";

it.each(names)("the name of a workspace $2", (name, good) => {
  expect(v.is(WorkspaceInput, { name })).toBe(good);
});

it("only the name of a workspace can be changed", () => {
  expect(v.parse(WorkspacePatch, { name: "Acme" })).toEqual({ name: "Acme" });
  expect(v.is(WorkspacePatch, {})).toBe(true);
  expect(v.is(WorkspacePatch, { id: "ws_2" })).toBe(false);
  expect(v.is(WorkspacePatch, { name: "" })).toBe(false);
});

it("a workspace is shown with its plan and the plan's usage this month", () => {
  const workspace = { id: "ws_1" as const, name: "Acme", version: 2, createdAt: "2026-11-01T00:00:00.000Z" };
  const plan = { monthlyEvents: 1_000, eventsPerMinute: 300, burst: 10, retentionDays: 400 };

  expect(toWorkspaceView(workspace, { plan, month: "2026-11", used: 7 }, Date.UTC(2026, 10, 21))).toEqual({
    ...workspace,
    plan,
    usage: { month: "2026-11", used: 7, limit: 1_000, resetAt: "2026-12-01T00:00:00.000Z" },
  });
});
