import * as v from "valibot";
import { expect, it } from "vitest";
import { WorkspaceInput, WorkspacePatch } from "../../../core/domain/workspace.ts";

it.each([
  ["x", true],
  ["🚨".repeat(100), true],
  ["🚨".repeat(101), false],
  ["", false],
  [undefined, false],
])("a workspace may be called %j: %s", (name, good) => {
  expect(v.is(WorkspaceInput, { name })).toBe(good);
});

it("a workspace changes in nothing but its name", () => {
  expect(v.parse(WorkspacePatch, { name: "Acme" })).toEqual({ name: "Acme" });
  expect(v.is(WorkspacePatch, {})).toBe(true);
  expect(v.is(WorkspacePatch, { id: "ws_2" })).toBe(false);
  expect(v.is(WorkspacePatch, { name: "" })).toBe(false);
});
