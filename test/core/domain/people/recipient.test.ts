import * as v from "valibot";
import { expect, it } from "vitest";
import { Recipient, UnreachedGroup } from "../../../../core/domain/people/recipient.ts";

it.each([
  { userId: "usr_ann", reason: {} },
  { userId: "usr_ann", reason: { groupId: "grp_ops" }, quiet: "acknowledged" },
  { userId: "usr_ann", reason: { groupId: "grp_ops", layer: 1 }, quiet: "too_many" },
  { userId: "usr_ann", reason: { groupId: "grp_ops", overrideId: "ovr_1" } },
])("a recipient is stored with the reasons why they are notified, and why silently: %j", (recipient) => {
  expect(v.parse(Recipient, { ...recipient, name: "Ann" })).toEqual(recipient);
});

it.each([
  ["group_deleted", true],
  ["group_empty", true],
  ["nobody_on_call", true],
  ["asleep", false],
])("the reason that nobody in a group is notified may be %s: %s", (because, known) => {
  expect(v.is(UnreachedGroup, { groupId: "grp_ops", because })).toBe(known);
});

it("a group in which nobody is notified is stored with the reason why", () => {
  const unreached = { groupId: "grp_ops", because: "group_empty" };

  expect(v.parse(UnreachedGroup, { ...unreached, name: "Ops" })).toEqual(unreached);
});
