import { describe, expect, it } from "vitest";
import { compareNights } from "../../../../core/domain/on-call/nights.ts";
import { aLayer, ann, aSchedule, at, bob, cyd } from "./support.ts";

/** The start of twelve weeks in Berlin, Monday 09:00, in which summer time ends. */
const monday = at("2026-10-05T07:00:00Z");
const weeklyTurns = (...participants: unknown[]) => ({
  schedule: aSchedule("Europe/Berlin", aLayer({ start: "2026-10-05T09:00", unit: "week", participants })),
  overrides: [],
});
const dailyHours = (from: string, to: string, ...participants: unknown[]) => ({
  schedule: aSchedule(
    "Europe/Berlin",
    aLayer({
      start: "2026-10-05T00:00",
      participants,
      restrictions: [{ days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from, to }],
    }),
  ),
  overrides: [],
});
const none = { schedule: aSchedule("UTC"), overrides: [] };
const changedNights = (
  ...[before, after]: Parameters<typeof compareNights> extends [infer B, infer A, number] ? [B, A] : never
) =>
  compareNights(before, after, monday).map(
    ({ userId, before: was, after: is }) => `${userId.slice(4)} ${was} -> ${is}`,
  );

describe("nights on call before and after a change", () => {
  it.each([
    ["are seven a week, including weekends", none, weeklyTurns(ann, bob), ["ann 0 -> 42", "bob 0 -> 42"]],
    [
      "are fewer if somebody joins",
      weeklyTurns(ann, bob),
      weeklyTurns(ann, bob, cyd),
      ["ann 42 -> 28", "bob 42 -> 28", "cyd 0 -> 28"],
    ],
    [
      "are listed only for people whose number changes",
      weeklyTurns(ann, bob, ann, cyd),
      weeklyTurns(ann, bob, ann, bob),
      ["bob 21 -> 42", "cyd 21 -> 0"],
    ],
    ["count for each person of a shared turn", weeklyTurns(ann), weeklyTurns([ann, bob]), ["bob 0 -> 84"]],
    ["do not include daytime hours", none, dailyHours("07:00", "22:00", ann), []],
    ["add up from parts of nights", none, dailyHours("22:00", "02:30", ann), ["ann 0 -> 42"]],
    ["are zero without a schedule", weeklyTurns(ann), none, ["ann 84 -> 0"]],
  ])("%s", (_, before, after, lines) => {
    expect(changedNights(before, after)).toEqual(lines);
  });

  it("count the nights of an override for the person of the override", () => {
    const override = { id: "ovr_1", userId: bob, start: "2026-10-05T09:00:00.000Z", end: "2026-10-08T09:00:00.000Z" };

    expect(changedNights(weeklyTurns(ann), { ...weeklyTurns(ann), overrides: [override] })).toEqual([
      "ann 84 -> 81",
      "bob 0 -> 3",
    ]);
  });

  it("leave out people whom events would not notify", () => {
    const outside = {
      ...weeklyTurns([ann, bob]),
      blockOf: (id: string) => (id === bob ? ("not_in_group" as const) : undefined),
    };

    expect(changedNights(none, outside)).toEqual(["ann 0 -> 84"]);
  });
});
