import { describe, expect, it } from "vitest";
import { compareNights } from "../../../../core/domain/on-call/nights.ts";
import { aLayer, ann, aSchedule, at, bob, cyd } from "./support.ts";

/* Nights on call in the next 12 weeks, before and after a change of a schedule. */

/** Weeks from Monday 09:00, in Berlin, over the end of summer time. */
const monday = at("2026-10-05T07:00:00Z");
const weeks = (...participants: unknown[]) => ({
  schedule: aSchedule("Europe/Berlin", aLayer({ start: "2026-10-05T09:00", unit: "week", participants })),
  overrides: [],
});
const daily = (from: string, to: string, ...participants: unknown[]) => ({
  schedule: aSchedule(
    "UTC",
    aLayer({
      start: "2026-10-05T00:00",
      participants,
      restrictions: [{ days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from, to }],
    }),
  ),
  overrides: [],
});
const none = { schedule: aSchedule("UTC"), overrides: [] };
const changed = (
  ...[before, after]: Parameters<typeof compareNights> extends [infer B, infer A, number] ? [B, A] : never
) =>
  compareNights(before, after, monday).map(
    ({ userId, before: was, after: is }) => `${userId.slice(4)} ${was} -> ${is}`,
  );

describe("nights on call before and after a change", () => {
  it.each([
    ["are seven a week, including weekends", none, weeks(ann, bob), ["ann 0 -> 42", "bob 0 -> 42"]],
    [
      "are fewer if somebody joins",
      weeks(ann, bob),
      weeks(ann, bob, cyd),
      ["ann 42 -> 28", "bob 42 -> 28", "cyd 0 -> 28"],
    ],
    [
      "are listed only for people whose number changes",
      weeks(ann, bob, ann, cyd),
      weeks(ann, bob, ann, bob),
      ["bob 21 -> 42", "cyd 21 -> 0"],
    ],
    ["count for each person of a shared turn", weeks(ann), weeks([ann, bob]), ["bob 0 -> 84"]],
    ["do not include daytime hours", none, daily("07:00", "22:00", ann), []],
    ["add up from parts of nights", none, daily("22:00", "02:30", ann), ["ann 0 -> 42"]],
    ["are zero without a schedule", weeks(ann), none, ["ann 84 -> 0"]],
  ])("%s", (_, before, after, lines) => {
    expect(changed(before, after)).toEqual(lines);
  });

  it("take overrides into account", () => {
    const override = { id: "ovr_1", userId: bob, start: "2026-10-05T09:00:00.000Z", end: "2026-10-08T09:00:00.000Z" };

    expect(changed(weeks(ann), { ...weeks(ann), overrides: [override] })).toEqual(["ann 84 -> 81", "bob 0 -> 3"]);
  });

  it("leave out people whom events would not notify", () => {
    const outside = {
      ...weeks([ann, bob]),
      blockOf: (id: string) => (id === bob ? ("not_in_group" as const) : undefined),
    };

    expect(changed(none, outside)).toEqual(["ann 0 -> 84"]);
  });
});
