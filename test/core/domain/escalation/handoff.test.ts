import { describe, expect, it } from "vitest";
import { mayBeHandedOff, computeNextHandoffCheck } from "../../../../core/domain/escalation/handoff.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const at = Date.UTC(2026, 10, 21, 12, 5);

describe("the check whether an acknowledger's shift has ended", () => {
  it("takes place exactly when the shift is planned to end, even if checks have become rare", () => {
    expect(computeNextHandoffCheck(at + 3 * MINUTE, at, { at })).toBe(at + 3 * MINUTE);
    expect(computeNextHandoffCheck(at + 5 * DAY + MINUTE, at + 5 * DAY, { at })).toBe(at + 5 * DAY + MINUTE);
  });

  it("takes place less and less often, but at least daily, and is not moved by another acknowledgement", () => {
    const looks: number[] = [];
    for (let now = at; mayBeHandedOff({ at }, now); now = computeNextHandoffCheck(Infinity, now, { at }))
      looks.push(now);
    const pauses = looks.slice(1).map((look, index) => look - looks[index]!);

    expect(looks.length).toBeLessThan(30);
    expect(pauses.every((pause, index) => index === 0 || pause >= pauses[index - 1]! / 2)).toBe(true);
    expect(Math.max(...pauses)).toBe(DAY);
    expect(computeNextHandoffCheck(Infinity, at + MINUTE, { at: at + MINUTE })).toBe(
      computeNextHandoffCheck(Infinity, at, { at }),
    );
  });

  it("is repeated for half a month", () => {
    expect([mayBeHandedOff({ at }, at + 14 * DAY), mayBeHandedOff({ at }, at + 15 * DAY)]).toEqual([true, false]);
  });
});
