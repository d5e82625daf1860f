import { describe, expect, it } from "vitest";
import { isInHand, nextCheck } from "../../../../core/domain/escalation/handoff.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const at = Date.UTC(2026, 10, 21, 12, 5);

describe("what is in hand", () => {
  it("is looked at when the shift ends as planned, however seldom it is looked at otherwise", () => {
    expect(nextCheck(at, at + 3 * MINUTE, { at })).toBe(at + 3 * MINUTE);
    expect(nextCheck(at + 5 * DAY, at + 5 * DAY + MINUTE, { at })).toBe(at + 5 * DAY + MINUTE);
  });

  it("is looked at ever more seldom, but once a day, and at the same moments whoever acknowledges again", () => {
    const looks: number[] = [];
    for (let now = at; isInHand({ at }, now); now = nextCheck(now, Infinity, { at })) looks.push(now);
    const pauses = looks.slice(1).map((look, index) => look - looks[index]!);

    expect(looks.length).toBeLessThan(30);
    expect(pauses.every((pause, index) => index === 0 || pause >= pauses[index - 1]! / 2)).toBe(true);
    expect(Math.max(...pauses)).toBe(DAY);
    expect(nextCheck(at + MINUTE, Infinity, { at: at + MINUTE })).toBe(nextCheck(at, Infinity, { at }));
  });

  it("is so for half a month", () => {
    expect([isInHand({ at }, at + 14 * DAY), isInHand({ at }, at + 15 * DAY)]).toEqual([true, false]);
  });
});
