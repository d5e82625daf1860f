import { describe, expect, it } from "vitest";
import { detectFlapping, type Episode } from "../../../../core/domain/event/flapping.ts";

const MINUTE = 60_000;
const episodes = (...times: (readonly [opened: number, closed?: number])[]): Episode[] =>
  times.map(([opened, closed]) => ({
    opened: opened * MINUTE,
    closed: closed === undefined ? undefined : closed * MINUTE,
  }));
const flappingAt = (before: Episode[], opened: number) => {
  const flapping = detectFlapping(before, opened * MINUTE);
  return flapping === undefined ? undefined : { until: flapping.until / MINUTE, first: flapping.first };
};

describe("an alert that opens and closes often", () => {
  it("flaps from its fourth change within 20 minutes, and is then held back for ten minutes", () => {
    expect(flappingAt(episodes([0, 5], [6, 8]), 9)).toEqual({ until: 19, first: true });
  });

  it("does not flap after its first, second or third change", () => {
    expect(flappingAt([], 0)).toBeUndefined();
    expect(flappingAt(episodes([0, 1]), 2)).toBeUndefined();
  });

  it("does not flap if its four changes take 20 minutes", () => {
    expect(flappingAt(episodes([0, 5], [6, 24]), 25)).toBeUndefined();
    expect(flappingAt(episodes([0, 5], [6, 24]), 24.9)).toEqual({ until: 34.9, first: true });
  });

  it("is held back for ten minutes after its end if that end was the fourth change", () => {
    expect(flappingAt(episodes([0, 1], [19, 19.5]), 25)).toEqual({ until: 29.5, first: true });
    expect(flappingAt(episodes([0, 1], [19, 19.5]), 29.5)).toBeUndefined();
  });

  it("is held back at each reopening while it flaps; only the first reopening is marked as the start of flapping", () => {
    expect(flappingAt(episodes([0, 1], [2, 3], [4, 5]), 6)).toEqual({ until: 16, first: false });
    expect(flappingAt(episodes([0, 1], [60, 61], [62, 63]), 64)).toEqual({ until: 74, first: true });
  });

  it("does not count another opening as a change while the alert is open", () => {
    expect(flappingAt(episodes([0], [1], [2, 3]), 4)).toBeUndefined();
    expect(flappingAt(episodes([0, 1], [2], [3, 4]), 5)).toEqual({ until: 15, first: true });
  });
});
