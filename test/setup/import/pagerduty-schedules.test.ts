import { describe, expect, it } from "vitest";
import { layerOf, imported, aSchedule, users } from "./pagerduty.ts";

describe("what comes of an export of PagerDuty", () => {
  it("is a schedule whose last layer decides, where PagerDuty lists that one first", () => {
    const { draft } = imported([users, aSchedule([layerOf("Nights", ["PA"]), layerOf("Days", ["PB", "PC"])])]);

    expect(
      draft.setUp.schedules.map(({ group, layers }) => [group, layers.map(({ participants }) => participants)]),
    ).toEqual([["Web", [["b@acme.example", "c@acme.example"], ["a@acme.example"]]]]);
  });

  it("keeps hours that run past midnight and over a weekend in the schedule's zone", () => {
    const weekend = {
      type: "weekly_restriction" as const,
      start_day_of_week: 5,
      start_time_of_day: "17:00:00",
      duration_seconds: 64 * 3_600,
    };

    const { draft } = imported([users, aSchedule([layerOf("Weekend", ["PA"], { restrictions: [weekend] })])]);

    expect(draft.setUp.schedules[0]?.layers[0]).toEqual({
      start: "2026-01-05T09:00",
      every: 1,
      unit: "week",
      participants: ["a@acme.example"],
      restrictions: [
        { days: ["fri", "sat"], from: "17:00", to: "17:00" },
        { days: ["sun"], from: "17:00", to: "09:00" },
      ],
    });
  });

  it("names a person whom the export does not have, gives the turn to nobody, and shows the hours that differ", () => {
    const { draft, compared, report } = imported([users, aSchedule([layerOf("One", ["PA", "PGONE"])])]);

    expect(draft.setUp.schedules[0]?.layers[0]?.participants).toEqual(["a@acme.example", []]);
    expect(draft.remarks).toContainEqual({
      kind: "left",
      what: "Person PGONE",
      why: expect.stringContaining("turns of nobody"),
    });
    expect(compared[0]?.differences).toHaveLength(3);
    expect(report).toContain("| 2026-03-23T08:00Z | 2026-03-30T07:00Z | PGONE (not in the export) | nobody |");
  });

  it("holds the file against what PagerDuty rendered itself, where that is in the export", () => {
    const rendered = [
      { start: "2026-03-01T00:00:00Z", end: "2026-03-20T00:00:00Z", user: { id: "PA" } },
      { start: "2026-03-20T00:00:00Z", end: "2026-05-01T00:00:00Z", user: { id: "PB" } },
    ];

    const { compared } = imported([
      users,
      aSchedule([layerOf("One", ["PA"])], { final_schedule: { rendered_schedule_entries: rendered } }),
    ]);

    expect(compared).toMatchObject([
      { source: "PagerDuty's own final schedule", differences: [{ from: Date.parse("2026-03-20T00:00:00Z") }] },
    ]);
  });

  it("keeps the rotations of a schedule and the next overrides, where not all of them fit", () => {
    // No grid of hours fits them, so each takes a layer.
    const overrides = Array.from({ length: 12 }, (_, index) => ({
      start: `2026-03-${17 + index}T08:0${index % 9}:00Z`,
      end: `2026-03-${17 + index}T09:30:00Z`,
      user: { id: "PB" },
    }));
    const { draft } = imported([
      users,
      aSchedule([layerOf("One", ["PA"])], { overrides_subschedule: { rendered_schedule_entries: overrides } }),
    ]);

    const layers = draft.setUp.schedules[0]?.layers ?? [];
    expect(layers.map(({ until = "" }) => until)).toEqual([
      "",
      ...overrides.slice(0, 9).map(({ end }) => end.replace("T09:30:00Z", "T10:30")),
    ]);
    expect(draft.remarks).toContainEqual(
      expect.objectContaining({ kind: "left", what: "Schedule Web: 3 layers of overrides, the latest of them" }),
    );
  });

  it("says of a broken export where it is broken, and what would be right", () => {
    const broken = () =>
      imported([
        users,
        aSchedule([{ ...layerOf("One", ["PA"]), rotation_virtual_start: "yesterday" }], { time_zone: "Berlin" }),
      ]);

    expect(broken).toThrow(
      /answer-1\.json: schedules\[0\]: time_zone: .*Europe\/Berlin[^]*schedule_layers\[0\]\.rotation_virtual_start: .*with Z or an offset/,
    );
  });
});
