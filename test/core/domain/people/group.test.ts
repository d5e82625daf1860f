import * as v from "valibot";
import { expect, it } from "vitest";
import { GroupInput, GroupMemberInput, toGroupView } from "../../../../core/domain/people/group.ts";
import { names } from "../support.ts";

it.each(names)("a group may have the name %j: %s", (name, good) => {
  expect(v.is(GroupInput, { name })).toBe(good);
});

it("a group is shown with the fields of the API, without its version", () => {
  const shown = { id: "grp_1", name: "Ops", workspaceId: "ws_1" as const, createdAt: "2026-11-01T00:00:00.000Z" };

  expect(toGroupView({ ...shown, version: 3 })).toEqual(shown);
});

it.each([
  ["usr_1", true],
  ["grp_1", false],
  ["ann", false],
  [undefined, false],
])("a group accepts %s as a member: %s", (userId, good) => {
  expect(v.is(GroupMemberInput, { userId })).toBe(good);
});
