import { describe, expect, it } from "vitest";
import type { listGroupPhases } from "../../../../core/domain/shifts/past.ts";
import { collectReportData } from "../../../../core/domain/shifts/report.ts";
import { aPeople } from "../support.ts";

const DAY = 86_400_000;
/** Returns an instant in March in ms since 1970: day 4.5 is noon of the fourth. */
const at = (day: number): number => Date.UTC(2026, 2, 1) + (day - 1) * DAY;
const iso = (day: number): string => new Date(at(day)).toISOString();
const week = { from: at(2), to: at(9) };
const layers = (...participants: string[]) => [
  { start: "2026-03-01T00:00", every: 1, unit: "week" as const, participants },
];

type Override = { id: string; userId: string; start: string; end: string; insteadOf?: string; coverId?: string };

/** In Ops, Bob is on call alone now, and Cyd has left the group. */
const people = (overrides: Override[] = []) =>
  aPeople({
    members: { usr_ann: "Ann", usr_bob: "Bob", usr_cyd: "Cyd" },
    groups: { grp_ops: ["usr_ann", "usr_bob"] },
    schedules: [{ groupId: "grp_ops", timeZone: "UTC", layers: layers("usr_bob"), updatedAt: "" }],
    overrides: overrides.map((one) => ({ groupId: "grp_ops", createdAt: "", ...one })),
  });

type Change = Parameters<typeof listGroupPhases>[2][number];
const change = (
  day: number,
  fields: Pick<Change, "action" | "before" | "after">,
  kind: Change["target"]["kind"],
  id = "ovr_1",
): Change => ({
  at: at(day),
  target: { kind, id },
  ...fields,
});
const scheduleChange = (day: number, before: Change["before"], id = "grp_ops"): Change =>
  change(day, { action: "updated", before, after: {} }, "schedule", id);
const group = "grp_ops";
const night = { group, userId: "usr_ann", start: iso(4), end: iso(5) };
const cover = { group, userId: "usr_bob", start: iso(4), end: iso(5) };
const taken = { ...cover, takenBy: "usr_ann", state: "taken", inReturn: { start: iso(7), end: iso(8) } };

/** Lists past shifts, each as the day of March on which it began and the people on call. */
const listOnCall = (changes: Change[], overrides?: Override[]): string[] =>
  collectReportData(people(overrides), [], null, week, changes).groups.flatMap(({ shifts }) =>
    shifts.map(([start, , userIds]) => `${(start - at(1)) / DAY + 1} ${userIds.map((id) => id.slice(4)).join("+")}`),
  );

describe("the on-call history of past days", () => {
  it.each<[string, Change[], string[], Override[]?]>([
    ["the current schedule if nothing changed", [], ["2 bob"]],
    ["a schedule until it was replaced", [scheduleChange(5, { layers: layers("usr_ann") })], ["2 ann", "5 bob"]],
    [
      "each of several schedules, and not those of other groups",
      [
        scheduleChange(6, { layers: layers("usr_ann") }),
        scheduleChange(5, { layers: layers("usr_cyd") }, "grp_other"),
        scheduleChange(4, { layers: [], holidays: null }),
      ],
      ["4 ann", "6 bob"],
    ],
    [
      "the first version of a schedule, even before it was created",
      [change(5, { action: "created", before: null, after: {} }, "schedule", group)],
      ["2 bob", "5 bob"],
    ],
    [
      "an override that was deleted later",
      [change(6, { action: "deleted", before: night, after: null }, "override")],
      ["2 bob", "4 ann", "5 bob", "6 bob"],
    ],
    [
      "an override from its creation on",
      [change(4.5, { action: "created", before: null, after: night }, "override")],
      ["2 bob", "4.5 ann", "5 bob"],
      [{ id: "ovr_1", userId: "usr_ann", start: iso(4), end: iso(5) }],
    ],
    [
      "a cover that was withdrawn later, with the shift in return",
      [
        change(8, { action: "updated", before: taken, after: { ...taken, state: "withdrawn" } }, "cover", "cov_1"),
        scheduleChange(6, { layers: layers("usr_bob") }),
      ],
      ["2 bob", "4 ann", "5 bob", "6 bob", "8 bob"],
    ],
    [
      "a cover from the time it was taken",
      [change(4.5, { action: "updated", before: { ...cover, state: "open" }, after: taken }, "cover", "cov_1")],
      ["2 bob", "4.5 ann", "5 bob"],
      [{ id: "ovr_1", userId: "usr_ann", insteadOf: "usr_bob", coverId: "cov_1", start: iso(4), end: iso(5) }],
    ],
    [
      "the shifts of a person who has left the group since",
      [
        scheduleChange(6, { layers: layers("usr_cyd") }),
        change(6, { action: "deleted", before: { group }, after: null }, "group_member", "usr_cyd"),
      ],
      ["2 cyd", "6 bob"],
    ],
    ["the known state if an entry cannot be read", [scheduleChange(5, { layers: "?" })], ["2 bob", "5 bob"]],
  ])("shows %s", (_, changes, expected, overrides) => {
    expect(listOnCall(changes, overrides)).toEqual(expected);
  });

  it("includes a cover that took place and the shift given in return, each with both people", () => {
    const changes = [change(8, { action: "updated", before: taken, after: taken }, "cover", "cov_1")];

    expect(collectReportData(people(), [], null, week, changes).groups[0]?.covers).toEqual([
      { at: at(4), by: "usr_ann", insteadOf: "usr_bob" },
      { at: at(7), by: "usr_bob", insteadOf: "usr_ann" },
    ]);
  });
});
