import * as v from "valibot";
import { expect, it } from "vitest";
import { Recipient, UnreachedGroup } from "../../../../core/domain/people/recipient.ts";

it.each([
  { userId: "usr_ann", reason: {} },
  { userId: "usr_ann", reason: { groupId: "grp_ops" }, quiet: "acknowledged" },
  { userId: "usr_ann", reason: { groupId: "grp_ops", layer: 1 }, quiet: "too_many" },
  { userId: "usr_ann", reason: { groupId: "grp_ops", overrideId: "ovr_1" } },
])("a recipient is kept with why they are told, and why without a sound: %j", (recipient) => {
  expect(v.parse(Recipient, { ...recipient, name: "Ann" })).toEqual(recipient);
});

it.each([
  ["group_deleted", true],
  ["group_empty", true],
  ["nobody_on_call", true],
  ["asleep", false],
])("that nobody is told in a group may be because of %s: %s", (because, known) => {
  expect(v.is(UnreachedGroup, { groupId: "grp_ops", because })).toBe(known);
});

it("a group in which nobody is told is kept with the reason", () => {
  const unreached = { groupId: "grp_ops", because: "group_empty" };

  expect(v.parse(UnreachedGroup, { ...unreached, name: "Ops" })).toEqual(unreached);
});
