import { describe, expect, it } from "vitest";
import { buildPeople } from "../../../../core/domain/people/people.ts";
import {
  coverDeadline,
  type Cover,
  listUnsentNotices,
  coverStatus,
  findReasonAgainst,
} from "../../../../core/domain/shifts/cover.ts";
import { aCover } from "../support.ts";

const createdAt = "2026-03-01T12:00:00.000Z";
const at = (iso: string) => Date.parse(iso);
const day = (date: number, from = "00:00", to = from) => ({
  start: `2026-03-0${date}T${from}:00.000Z`,
  end: `2026-03-0${to === "00:00" ? date + 1 : date}T${to}:00.000Z`,
});

/** Ops has Ann and Bob in daily turns, Mia as its manager, and Cleo. Max manages another group. Olga is the owner. */
const members = ["Ann", "Bob", "Cleo", "Mia", "Max", "Olga"].map((name) => ({
  userId: `usr_${name}`,
  name,
  email: "",
  createdAt,
  role: name.startsWith("M") ? ("manager" as const) : ("responder" as const),
}));
const people = buildPeople({
  members,
  groups: ["Ops", "Net"].map((name) => ({ id: `grp_${name}`, name, workspaceId: "ws_1", createdAt })),
  groupMembers: ["Ann", "Bob", "Cleo", "Mia"]
    .map((name) => ({ groupId: "grp_Ops", userId: `usr_${name}` }))
    .concat({ groupId: "grp_Net", userId: "usr_Max" }),
  schedules: [
    {
      groupId: "grp_Ops",
      timeZone: "UTC",
      layers: [{ start: "2026-03-02T00:00", every: 1, unit: "day", participants: ["usr_Ann", "usr_Bob"] }],
      updatedAt: createdAt,
    },
  ],
  overrides: [],
});
const deciding = { people, owners: new Set(["usr_Olga"]) };

const cover = (fields: Partial<Cover> = {}): Cover =>
  aCover({
    groupId: "grp_Ops",
    userId: "usr_Ann",
    ...day(4),
    createdAt,
    createdBy: "usr_Ann",
    asked: ["usr_Cleo"],
    ...fields,
  });

it("a shift swap begins with the earlier of its two shifts, and cannot be accepted once it has begun", () => {
  const swap = cover({ inReturn: day(3) });

  expect([coverDeadline(cover()), coverDeadline(swap)].map((ms) => new Date(ms).getUTCDate())).toEqual([4, 3]);
  expect([coverStatus(cover(), at(day(3).start)), coverStatus(swap, at(day(3).start))]).toEqual(["open", "expired"]);
});

it.each([
  ["the whole next shift", day(3), undefined],
  ["the first half of the next shift, after which the taker has no rest", day(3, "00:00", "06:00"), "no_rest"],
  ["the second half of the next shift, before which the taker has no rest", day(3, "06:00", "00:00"), "no_rest"],
] as const)("a shift swap is checked for enough rest: %s", (_, inReturn, reason) => {
  expect(findReasonAgainst({ ...cover(day(2)), inReturn }, "usr_Bob", deciding)).toBe(reason);
});

describe("the notices about a cover request", () => {
  const due = (fields: Partial<Cover>, kind: string) => {
    const { due: ms, to } = listUnsentNotices(cover(fields), deciding).find((one) => one.kind === kind)!;
    return [new Date(ms).toISOString().slice(5, 16), ...to];
  };
  const late = { createdAt: "2026-03-03T22:30:00.000Z" };

  it.each<[string, Partial<Cover>, string, string[]]>([
    ["ask in the morning", { ...late, ...day(4, "12:00", "00:00") }, "ask", ["03-04T08:00", "usr_Cleo"]],
    ["ask at once if the shift begins before the morning", { ...late, ...day(4) }, "ask", ["03-03T22:30", "usr_Cleo"]],
    ["remind only the group's managers", {}, "remind", ["03-03T00:00", "usr_Mia"]],
    ["remind the owners if the group has no manager", { groupId: "grp_None" }, "remind", ["03-03T00:00", "usr_Olga"]],
    ["remind at once if nobody can take the shift", { asked: [] }, "remind", ["03-01T12:00", "usr_Mia"]],
    [
      "inform the person whose shift was taken, and the person who asked for them",
      { createdBy: "usr_Mia", state: "taken", takenBy: "usr_Cleo", changedBy: "usr_Cleo" },
      "taken",
      ["03-01T12:00", "usr_Ann", "usr_Mia"],
    ],
  ])("are sent at the right time to the right people: %s", (_, fields, kind, notice) => {
    expect(due(fields, kind)).toEqual(notice);
  });
});
