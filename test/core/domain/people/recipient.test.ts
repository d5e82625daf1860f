import * as v from "valibot";
import { expect, it } from "vitest";
import { Recipient, UnreachedGroup } from "../../../../core/domain/people/recipient.ts";

it.each([
  ["with an empty reason if a rule names the person", { userId: "usr_ann", reason: {} }],
  [
    "with the person's group, and why the push is silent",
    { userId: "usr_ann", reason: { groupId: "grp_ops" }, quiet: "acknowledged" },
  ],
  [
    "with the rotation, and why the push is silent",
    { userId: "usr_ann", reason: { groupId: "grp_ops", layer: 1 }, quiet: "too_many" },
  ],
  ["with the override", { userId: "usr_ann", reason: { groupId: "grp_ops", overrideId: "ovr_1" } }],
])("a recipient is stored %s", (_what, recipient) => {
  expect(v.parse(Recipient, { ...recipient, name: "Ann" })).toEqual(recipient);
});

it.each([
  ["may be", "group_deleted", true],
  ["may be", "group_empty", true],
  ["may be", "nobody_on_call", true],
  ["may not be", "asleep", false],
])('the stored reason why nobody in a group is notified %s "%s"', (_may, because, known) => {
  expect(v.is(UnreachedGroup, { groupId: "grp_ops", because })).toBe(known);
});

it("a group in which nobody is notified is stored with the reason why", () => {
  const unreached = { groupId: "grp_ops", because: "group_empty" };

  expect(v.parse(UnreachedGroup, { ...unreached, name: "Ops" })).toEqual(unreached);
});
