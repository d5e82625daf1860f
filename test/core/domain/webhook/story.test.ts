import { describe, expect, it } from "vitest";
import { continued, type Chapter } from "../../../../core/domain/webhook/story.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const opened: Chapter = { name: "opened", type: "event.opened", at: NOON, told: NOON + 1_000, state: "open" };
const resolved = { name: "resolved", type: "event.resolved" as const, at: NOON + 500, state: "resolved" };

describe("a story that goes on", () => {
  it.each([
    ["by the clock", NOON + 5_000, NOON + 5_000],
    ["no earlier than what was told before, by a clock that is behind", NOON + 400, NOON + 1_000],
  ])("is told %s", (_how, now, told) => {
    expect(continued([opened], [resolved], now)).toEqual([opened, { ...resolved, told }]);
  });

  it("tells nothing twice, however it looks now", () => {
    const { told: _told, ...again } = { ...opened, type: "event.opened" as const, state: "none" };

    expect(continued([opened], [again, resolved], NOON + 5_000)).toEqual([opened, { ...resolved, told: NOON + 5_000 }]);
  });
});
