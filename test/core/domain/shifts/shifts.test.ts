import { describe, expect, it } from "vitest";
import type { Turn } from "../../../../core/domain/on-call/index.ts";
import { buildPeople } from "../../../../core/domain/people/people.ts";
import { listGroupShifts, listUserShifts, toShiftViews } from "../../../../core/domain/shifts/shifts.ts";

const createdAt = "2020-01-01T00:00:00.000Z";
const at = (time: string) => Date.parse(`2026-11-${time}Z`);

/** Daily turns from 09:00 on the 23rd, by group. One person in the turns has left the workspace. */
const turns: Readonly<Record<string, Turn[]>> = {
  grp_Night: ["usr_ann", "usr_bob", "usr_gone"],
  grp_Day: ["usr_ann", "usr_gone", []],
};
const people = buildPeople({
  members: ["usr_ann", "usr_bob"].map((userId) => ({ userId, name: userId, email: "", createdAt })),
  groups: ["Night", "Day", "Idle"].map((name) => ({ id: `grp_${name}`, name, workspaceId: "ws_1", createdAt })),
  groupMembers: ["grp_Day", "grp_Idle"].map((groupId) => ({ groupId, userId: "usr_ann" })),
  schedules: Object.entries(turns).map(([groupId, participants]) => ({
    groupId,
    timeZone: "UTC",
    layers: [{ start: "2026-11-23T09:00", every: 1, unit: "day", participants }],
    updatedAt: createdAt,
  })),
  overrides: [
    {
      id: "ovr_1",
      groupId: "grp_Idle",
      userId: "usr_ann",
      start: "2026-11-23T09:00:00.000Z",
      end: "2026-11-24T12:00:00.000Z",
      createdAt,
    },
  ],
});
const formatShifts = (shifts: ReturnType<typeof listUserShifts>) =>
  shifts.map(({ groupName, userId, start, end = Infinity }) => {
    const [from, to] = [start, end].map((ms) => (ms === Infinity ? "" : new Date(ms).toISOString().slice(8, 16)));
    return `${groupName} ${userId} ${from} ${to}`;
  });

describe("the shifts of a group", () => {
  it.each<[string, string, string, string, string[]]>([
    [
      "are those of members",
      "grp_Night",
      "23T09:00",
      "26T09:00",
      ["Night usr_ann 23T09:00 24T09:00", "Night usr_bob 24T09:00 25T09:00"],
    ],
    [
      "are shown in full if they overlap the period",
      "grp_Night",
      "24T08:59:59",
      "24T09:00:01",
      ["Night usr_ann 23T09:00 24T09:00", "Night usr_bob 24T09:00 25T09:00"],
    ],
    [
      "do not include shifts that end when the period begins, or begin when it ends",
      "grp_Night",
      "24T09:00",
      "25T09:00",
      ["Night usr_bob 24T09:00 25T09:00"],
    ],
    ["do not exist while nobody is on call", "grp_Day", "24T09:00", "26T09:00", []],
    ["may be overrides only", "grp_Idle", "20T00:00", "30T00:00", ["Idle usr_ann 23T09:00 24T12:00"]],
    ["do not exist for an unknown group", "grp_other", "20T00:00", "30T00:00", []],
  ])("%s", (_, groupId, from, to, shifts) => {
    expect(formatShifts(listGroupShifts(people, groupId, at(from), at(to)))).toEqual(shifts);
  });
});

describe("the shifts of one person", () => {
  it("are the person's shifts in all groups, sorted by start and then by group id", () => {
    expect(formatShifts(listUserShifts(people, "usr_ann", at("23T00:00"), at("27T00:00")))).toEqual([
      "Day usr_ann 23T09:00 24T09:00",
      "Idle usr_ann 23T09:00 24T12:00",
      "Night usr_ann 23T09:00 24T09:00",
      "Day usr_ann 26T09:00 27T09:00",
      "Night usr_ann 26T09:00 27T09:00",
    ]);
  });

  it("say for each group whether rules notify the person there", () => {
    const views = toShiftViews(people, "usr_ann", at("23T00:00"));

    expect(views.slice(0, 3).map(({ groupName, inGroup }) => [groupName, inGroup])).toEqual([
      ["Day", true],
      ["Idle", true],
      ["Night", false],
    ]);
  });
});
