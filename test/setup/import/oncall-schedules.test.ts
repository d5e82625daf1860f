import { describe, expect, it } from "vitest";
import { onCallIn } from "./proof.ts";
import { aShift, imported } from "./oncall.ts";

describe("what comes of the answers of Grafana OnCall", () => {
  it("has turns of several people, and begins with the turn that the shift names", () => {
    const { draft } = imported([aShift("Main", { start_rotation_from_user_index: 1 })]);

    expect(draft.setUp.schedules).toEqual([
      {
        group: "Web",
        timeZone: "Europe/Berlin",
        layers: [
          {
            start: "2026-01-05T09:00",
            every: 1,
            unit: "week",
            participants: [["b@acme.example", "c@acme.example"], "a@acme.example"],
          },
        ],
      },
    ]);
  });

  it("counts the turns of a daily shift on selected days by duty", () => {
    const { draft } = imported([
      aShift("Days", { frequency: "daily", by_day: ["MO", "TU", "WE", "TH", "FR"], duration: 8 * 3_600 }),
    ]);

    expect(draft.setUp.schedules[0]?.layers[0]).toMatchObject({
      every: 1,
      unit: "day",
      turns: "duty",
      restrictions: [{ days: ["mon", "tue", "wed", "thu", "fri"], from: "09:00", to: "17:00" }],
    });
  });

  it("lets shifts of one level add up in groups that are told together, and a higher level decide in all of them", () => {
    const { draft } = imported([
      aShift("One", { rolling_users: [["UA"]] }),
      aShift("Two", { rolling_users: [["UB"]] }),
      aShift("Top", { rolling_users: [["UC"]], level: 2, frequency: "daily", duration: 3_600 }),
    ]);

    expect(
      draft.setUp.schedules.map(({ group, layers }) => [
        group,
        ...layers.map(({ participants }) => participants.flat().join(" ")),
      ]),
    ).toEqual([
      ["Web: 1", "b@acme.example", "a@acme.example", "c@acme.example"],
      ["Web: 2", "a@acme.example", "b@acme.example", "c@acme.example"],
    ]);
  });

  it("keeps the hours of a shift in another zone, and names where the clocks part", () => {
    const { draft, compared } = imported([
      aShift("Berlin", { rolling_users: [["UA"]], duration: 12 * 3_600, frequency: "daily" }),
      aShift("Berlin too", { rolling_users: [["UC"]], level: 0 }),
      aShift("New York", {
        rolling_users: [["UB"]],
        level: 2,
        time_zone: "America/New_York",
        duration: 3_600,
        frequency: "daily",
      }),
    ]);

    expect(draft.setUp.schedules[0]?.layers.at(-1)).toMatchObject({
      participants: ["b@acme.example"],
      restrictions: [{ from: "14:00", to: "15:00" }],
    });
    expect(draft.remarks).toContainEqual(
      expect.objectContaining({ kind: "different", what: "Schedule Web, shift New York" }),
    );
    // From 29 March, Berlin is six hours ahead again.
    expect(compared[0]?.differences[0]).toMatchObject({ from: Date.parse("2026-03-29T12:00:00Z") });
  });

  it("reads the calendar of a schedule: what repeats, what was moved, what begins with a level", () => {
    const calendar = [
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//test//EN",
      "BEGIN:VEVENT",
      "UID:1",
      "SUMMARY:[L1] a",
      "DTSTART;TZID=Europe/Berlin:20260316T090000",
      "DTEND;TZID=Europe/Berlin:20260323T090000",
      "RRULE:FREQ=WEEKLY;INTERVAL=2",
      "EXDATE;TZID=Europe/Berlin:20260413T090000",
      "END:VEVENT",
      "BEGIN:VEVENT",
      "UID:2",
      "SUMMARY:[L2] b@acme.example",
      "DTSTART;VALUE=DATE:20260330",
      "DTEND;VALUE=DATE:20260331",
      "END:VEVENT",
      "END:VCALENDAR",
    ].join("\r\n");
    const { yaml, draft, compared } = imported([], { type: "ical" }, { path: "Web.ics", text: calendar });

    const at = (time: string) => onCallIn(yaml, time);
    expect(at("2026-03-16T08:00:00Z")).toEqual(["a@acme.example"]);
    expect(at("2026-03-23T08:00:00Z")).toEqual([]);
    expect(at("2026-03-30T06:59:00Z")).toEqual(["b@acme.example"]);
    expect(at("2026-03-30T12:00:00Z")).toEqual(["b@acme.example"]);
    expect(at("2026-03-30T22:00:00Z")).toEqual(["a@acme.example"]);
    expect(at("2026-04-14T12:00:00Z")).toEqual([]);
    expect(at("2026-04-28T12:00:00Z")).toEqual(["a@acme.example"]);
    expect(compared[0]?.differences).toEqual([]);
    expect(draft.remarks).toContainEqual(
      expect.objectContaining({
        kind: "different",
        what: "Schedule Web: its calendar",
        why: expect.stringContaining("91 days"),
      }),
    );
  });

  it("says of a shift by days of the month that no layer can say it", () => {
    const { draft } = imported([aShift("Monthly", { frequency: "monthly" })]);

    expect(draft.remarks).toContainEqual(
      expect.objectContaining({ kind: "left", why: expect.stringMatching(/No layer can say its events \(monthly/) }),
    );
  });
});
