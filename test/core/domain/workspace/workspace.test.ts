import * as v from "valibot";
import { expect, it } from "vitest";
import { WorkspaceInput, WorkspacePatch } from "../../../../core/domain/workspace/workspace.ts";
import { names } from "../support.ts";

it.each(names)("a workspace may be called %j: %s", (name, good) => {
  expect(v.is(WorkspaceInput, { name })).toBe(good);
});

it("a workspace changes in nothing but its name", () => {
  expect(v.parse(WorkspacePatch, { name: "Acme" })).toEqual({ name: "Acme" });
  expect(v.is(WorkspacePatch, {})).toBe(true);
  expect(v.is(WorkspacePatch, { id: "ws_2" })).toBe(false);
  expect(v.is(WorkspacePatch, { name: "" })).toBe(false);
});
