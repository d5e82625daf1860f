import { expect, it } from "vitest";
import { isInShadow } from "../../../../core/domain/workspace/control.ts";
import { findShadowEndFault } from "../../../../core/domain/workspace/shadow.ts";

const NOON = Date.UTC(2026, 10, 23, 12);

it.each([
  ["2026-11-23T12:00:00.000Z", true],
  ["2026-11-23T12:00:00.001Z", false],
  ["2026-12-07T12:00:00.000Z", false],
  ["2026-12-07T12:00:00.001Z", true],
  ["soon", true],
])("a shadow that is begun on 23 November at noon and ends at %s is refused: %s", (until, isRefused) => {
  const message = "until must be in the future, and at most 14 days ahead.";
  const fault = { field: "until", code: "out_of_range", message };

  expect(findShadowEndFault({ until }, NOON)).toEqual(isRefused ? fault : undefined);
});

it.each([
  [{}, false],
  [{ shadowUntil: NOON }, false],
  [{ shadowUntil: NOON + 1 }, true],
])("a workspace with %j is in shadow at noon: %s", (control, isShadowed) => {
  expect(isInShadow(control, NOON)).toBe(isShadowed);
});
