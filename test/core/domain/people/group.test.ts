import * as v from "valibot";
import { expect, it } from "vitest";
import { GroupInput, GroupMemberInput } from "../../../../core/domain/people/group.ts";
import { names } from "../support.ts";

it.each(names)("a group may be called %j: %s", (name, good) => {
  expect(v.is(GroupInput, { name })).toBe(good);
});

it.each([
  ["usr_1", true],
  ["grp_1", false],
  ["ann", false],
  [undefined, false],
])("a group takes %s for a member: %s", (userId, good) => {
  expect(v.is(GroupMemberInput, { userId })).toBe(good);
});
