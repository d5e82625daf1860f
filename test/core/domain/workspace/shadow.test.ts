import { expect, it } from "vitest";
import { isInShadow } from "../../../../core/domain/workspace/control.ts";
import { findShadowEndFault } from "../../../../core/domain/workspace/shadow.ts";

const NOON = Date.UTC(2026, 10, 23, 12);

it.each([
  ["at its start is refused", "2026-11-23T12:00:00.000Z", true],
  ["one millisecond after its start is accepted", "2026-11-23T12:00:00.001Z", false],
  ["14 days after its start is accepted", "2026-12-07T12:00:00.000Z", false],
  ["14 days and one millisecond after its start is refused", "2026-12-07T12:00:00.001Z", true],
  ["at a time that is not a timestamp is refused", "soon", true],
])("a shadow that ends %s", (_, until, isRefused) => {
  const message = "until must be in the future, and at most 14 days ahead.";
  const fault = { field: "until", code: "out_of_range", message };

  expect(findShadowEndFault({ until }, NOON)).toEqual(isRefused ? fault : undefined);
});

it.each([
  ["is not in shadow if it has no shadow", {}, false],
  ["is not in shadow when its shadow ends", { shadowUntil: NOON }, false],
  ["is in shadow one millisecond before its shadow ends", { shadowUntil: NOON + 1 }, true],
])("a workspace %s", (_, control, isShadowed) => {
  expect(isInShadow(control, NOON)).toBe(isShadowed);
});
