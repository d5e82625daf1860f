import { expect, it } from "vitest";
import { undoOverrideChange } from "../../../../core/domain/on-call/override-history.ts";

const [ANN, BOB] = ["usr_ann", "usr_bob"];
const time = { start: "2026-11-23T12:00:00Z", end: "2026-11-23T18:00:00Z" };
const later = { start: "2026-11-24T12:00:00Z", end: "2026-11-24T18:00:00Z" };
const other = { id: "ovr_0", userId: BOB, ...later };
const own = { id: "ovr_1", userId: ANN, ...time };
const ofCover = { id: "x", userId: BOB, coverId: "cov_1", ...time };
const all = [other, own, ofCover];

const cover = { state: "taken", userId: ANN, takenBy: BOB, ...time };
const given = { id: "cov_1 given", userId: BOB, insteadOf: ANN, coverId: "cov_1", ...time };
const returned = { id: "cov_1 returned", userId: ANN, insteadOf: BOB, coverId: "cov_1", ...later };

it.each([
  ["a created override is removed", "created", "override", "ovr_1", null, [other, ofCover]],
  [
    "a deleted override is restored unchanged",
    "deleted",
    "override",
    "ovr_2",
    { ...time, userId: ANN, insteadOf: BOB, coverId: "cov_2", groupId: "grp_1" },
    [...all, { id: "ovr_2", userId: ANN, ...time, insteadOf: BOB, coverId: "cov_2" }],
  ],
  [
    "a restored override that replaced no particular person replaces none",
    "deleted",
    "override",
    "ovr_1",
    own,
    [other, ofCover, own],
  ],
  ["an override whose former fields are unknown is removed", "updated", "override", "ovr_1", own, [other, ofCover]],
  ["a deleted override without a person stays deleted", "deleted", "override", "ovr_2", { ...time, userId: null }, all],
  ["a deleted override without a start stays deleted", "deleted", "override", "ovr_2", { ...own, start: null }, all],
  ["a deleted override without an end stays deleted", "deleted", "override", "ovr_2", { ...own, end: null }, all],
  ["a deleted override without fields stays deleted", "deleted", "override", "ovr_2", null, all],
  ["a cover that was open is removed", "updated", "cover", "cov_1", { ...cover, state: "open" }, [other, own]],
  ["a cover that did not exist is removed", "created", "cover", "cov_1", null, [other, own]],
  ["a cover that was taken takes effect again", "updated", "cover", "cov_1", cover, [other, own, given]],
  [
    "a cover that was taken in return for another shift takes effect again, for both shifts",
    "deleted",
    "cover",
    "cov_1",
    { ...cover, inReturn: later },
    [other, own, given, returned],
  ],
])("when a change of an override or a cover is undone, %s", (_, action, kind, id, before, overrides) => {
  expect(undoOverrideChange(all, { action, target: { kind, id }, before })).toStrictEqual(overrides);
});
