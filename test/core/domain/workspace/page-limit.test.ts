import * as v from "valibot";
import { describe, expect, it } from "vitest";
import {
  PageLimitSetting,
  updatePageLimitState,
  computePageLimitSlot,
  listUncountedEventNumbers,
  computePageLimitAfterEvent,
  computePageLimitForEvent,
} from "../../../../core/domain/workspace/page-limit.ts";

const SPAN = 600_000;
const state = { limit: 10, slot: 5, began: 100, before: 80 };

it.each([
  ["may be null, which means no limit", null, true],
  ["may be one page", 1, true],
  ["may be 100 pages", 100, true],
  ["may not be zero", 0, false],
  ["may not be 101 pages", 101, false],
  ["may not be 1.5 pages", 1.5, false],
  ["may not be a text", "10", false],
])("the page limit of a workspace %s", (_, count, good) => {
  expect(v.is(PageLimitSetting, count)).toBe(good);
});

it.each([
  [0, 0],
  [SPAN - 1, 0],
  [SPAN, 1],
])("the time %i ms is in the ten-minute period number %i", (now, slot) => {
  expect(computePageLimitSlot(now)).toBe(slot);
});

describe("the stored state of the page limit when an event arrives", () => {
  it.each([
    ["does not change within the same ten minutes", 5 * SPAN, state],
    ["does not change if the clock is behind", 4 * SPAN, state],
    ["changes in the next ten minutes", 6 * SPAN, { limit: 10, slot: 6, began: 120, before: 100 }],
    ["starts again after a pause", 7 * SPAN, { limit: 10, slot: 7, began: 120, before: 120 }],
  ])("%s", (_when, now, next) => {
    expect(updatePageLimitState(state, 120, now)).toEqual(next);
  });
});

describe("the pages that count towards the page limit", () => {
  it.each([
    ["include those of the previous ten minutes", 5 * SPAN, { limit: 10, from: 80 }],
    ["do not include those of earlier periods", 6 * SPAN, { limit: 10, from: 100 }],
    ["do not include those from before a pause", 8 * SPAN, { limit: 10, from: 120 }],
  ])("%s", (_what, now, pageLimit) => {
    expect(computePageLimitAfterEvent(state, 120, now)).toEqual(pageLimit);
  });

  it("are not counted without a limit", () => {
    expect(computePageLimitAfterEvent({ ...state, limit: null }, 120, 5 * SPAN)).toBeUndefined();
    expect(computePageLimitForEvent({ ...state, limit: null }, 120, 5 * SPAN)).toBeUndefined();
  });

  it.each([
    ["are not counted for the first event of the period", 81, undefined],
    ["are not counted for the tenth event of the period if the limit is ten", 90, undefined],
    ["are counted for the eleventh event of the period if the limit is ten", 91, { limit: 10, from: 80 }],
    // Event 80 came before this period, so it is not one of the first ten events of the period.
    ["are counted for the last event before the period", 80, { limit: 10, from: 80 }],
  ])("%s", (_title, seq, pageLimit) => {
    expect(computePageLimitForEvent(state, seq, 5 * SPAN)).toEqual(pageLimit);
  });

  it("are read from the plans of the period's first events, which are fifty at most", () => {
    expect(listUncountedEventNumbers({ limit: 100, from: 80 }, 500)).toHaveLength(50);
    expect(computePageLimitForEvent({ ...state, limit: 100 }, 130, 5 * SPAN)).toBeUndefined();
    expect(computePageLimitForEvent({ ...state, limit: 100 }, 131, 5 * SPAN)).toEqual({ limit: 100, from: 80 });
  });

  it("are not read for the first event after a long time without events", () => {
    expect(computePageLimitForEvent(state, 121, 8 * SPAN)).toBeUndefined();
  });

  it.each([
    ["no plan for the first event of the period", 10, 81, []],
    ["the plans of the first two events for the third event", 10, 83, [81, 82]],
    ["the plans of the first five events for the sixth event, if the limit is five", 5, 86, [81, 82, 83, 84, 85]],
    ["the plans of only the first five events for a later event, if the limit is five", 5, 500, [81, 82, 83, 84, 85]],
    ["no plan for an event before the period", 10, 70, []],
    ["the plan of only the first event, if the limit is one", 1, 500, [81]],
  ])("are read from %s", (_, limit, seq, numbers) => {
    expect(listUncountedEventNumbers({ limit, from: 80 }, seq)).toEqual(numbers);
  });
});
