import { describe, expect, test } from "vitest";
import * as v from "valibot";
import { onCallAt, OnCallSchedule, type OverridePeriod } from "../../../../core/domain/on-call/index.ts";
import { fromIso } from "../../../../core/domain/time.ts";

const [ann, bob, cyd] = ["usr_ann", "usr_bob", "usr_cyd"];

const schedule = (timeZone: string, ...layers: unknown[]): OnCallSchedule =>
  v.parse(OnCallSchedule, { timeZone, layers });

const layer = (changes: object = {}) => ({
  start: "2026-03-02T09:00",
  every: 1,
  unit: "day",
  participants: [ann, bob, cyd],
  ...changes,
});

const usersAt = (schedule: OnCallSchedule, at: string, overrides: OverridePeriod[] = []): string[] =>
  onCallAt(schedule, overrides, fromIso(at)!).map(({ userId }) => userId);

describe("a daily rotation from Monday 09:00", () => {
  const daily = schedule("Europe/Berlin", layer());

  test("names nobody before it starts", () => {
    expect(usersAt(daily, "2026-03-02T07:59:59.999Z")).toEqual([]);
  });

  test("begins with the first participant at local time", () => {
    expect(usersAt(daily, "2026-03-02T08:00:00Z")).toEqual(["usr_ann"]);
  });

  test.each([
    ["2026-03-03T07:59:59.999Z", "usr_ann"],
    ["2026-03-03T08:00:00Z", "usr_bob"],
    ["2026-03-04T08:00:00Z", "usr_cyd"],
    ["2026-03-05T08:00:00Z", "usr_ann"],
  ])("has at %s %s on call", (at, user) => {
    expect(usersAt(daily, at)).toEqual([user]);
  });

  test("still hands over at 09:00 when the clocks have gone forward", () => {
    expect(usersAt(daily, "2026-03-29T06:59:59.999Z")).toEqual(["usr_cyd"]);
    expect(usersAt(daily, "2026-03-29T07:00:00Z")).toEqual(["usr_ann"]);
  });

  test("says which layer and shift it is", () => {
    const [person] = onCallAt(daily, [], fromIso("2026-03-28T20:00:00Z")!);

    expect(person?.source).toEqual({
      kind: "layer",
      layer: 0,
      shiftStart: fromIso("2026-03-28T08:00:00.000Z"),
      shiftEnd: fromIso("2026-03-29T07:00:00.000Z"),
    });
  });
});
