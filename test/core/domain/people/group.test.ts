import * as v from "valibot";
import { expect, it } from "vitest";
import { GroupInput, GroupMemberInput, toGroupView } from "../../../../core/domain/people/group.ts";
import { names } from "../support.ts";

it.each(names)("the name of a group $2", (name, good) => {
  expect(v.is(GroupInput, { name })).toBe(good);
});

it("a group is shown with the fields of the API, without its version", () => {
  const shown = { id: "grp_1", name: "Ops", workspaceId: "ws_1" as const, createdAt: "2026-11-01T00:00:00.000Z" };

  expect(toGroupView({ ...shown, version: 3 })).toEqual(shown);
});

it.each([
  ["accepts the id of a person", "usr_1", true],
  ["refuses the id of a group", "grp_1", false],
  ["refuses a text that is not an id", "ann", false],
  ["refuses a missing id", undefined, false],
])("a group %s as a member", (_what, userId, good) => {
  expect(v.is(GroupMemberInput, { userId })).toBe(good);
});
