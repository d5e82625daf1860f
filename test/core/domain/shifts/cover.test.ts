import { describe, expect, it } from "vitest";
import { addOverrides } from "../../../../core/domain/on-call/duty-moves.ts";
import { createEmptyRules } from "../../../../core/domain/people/notification-rules.ts";
import { buildPeople } from "../../../../core/domain/people/people.ts";
import {
  findCoverDeadline,
  type Cover,
  listCoverCandidates,
  listLaterTakers,
  listUnsentNotices,
  judgeCoverStatus,
  findReasonNotToTakeCover,
  toCoverView,
} from "../../../../core/domain/shifts/cover.ts";
import { aCover } from "../support.ts";

const createdAt = "2026-03-01T12:00:00.000Z";
const at = (iso: string) => Date.parse(iso);
const day = (date: number, from = "00:00", to = from) => ({
  start: `2026-03-0${date}T${from}:00.000Z`,
  end: `2026-03-0${to === "00:00" ? date + 1 : date}T${to}:00.000Z`,
});

/**
 * In Ops, Ann and Bob take daily turns, Mia is the manager, and Cleo and Vic (a viewer) are members. Max manages Net, in which
 * Ann, Mia and Cleo are on call from 7 March, although Cleo is not a member of Net. Olga is the owner.
 */
const roles = { Mia: "manager", Max: "manager", Vic: "viewer" } as const;
const members = ["Ann", "Bob", "Cleo", "Mia", "Max", "Olga", "Vic"].map((name) => ({
  userId: `usr_${name}`,
  name,
  email: "",
  createdAt,
  role: roles[name as keyof typeof roles] ?? ("responder" as const),
}));
const people = buildPeople({
  members,
  groups: ["Ops", "Net"].map((name) => ({ id: `grp_${name}`, name, workspaceId: "ws_1", createdAt })),
  groupMembers: Object.entries({ Ops: ["Ann", "Bob", "Cleo", "Mia", "Vic"], Net: ["Max", "Ann", "Mia"] }).flatMap(
    ([group, names]) => names.map((name) => ({ groupId: `grp_${group}`, userId: `usr_${name}` })),
  ),
  schedules: [
    {
      groupId: "grp_Ops",
      timeZone: "UTC",
      layers: [{ start: "2026-03-02T00:00", every: 1, unit: "day", participants: ["usr_Ann", "usr_Bob"] }],
      updatedAt: createdAt,
    },
    {
      groupId: "grp_Net",
      timeZone: "UTC",
      layers: [
        { start: "2026-03-07T00:00", every: 1, unit: "day", participants: [["usr_Ann", "usr_Mia", "usr_Cleo"]] },
      ],
      updatedAt: createdAt,
    },
  ],
  notificationRules: [
    createEmptyRules("usr_Bob"),
    {
      ...createEmptyRules("usr_Mia"),
      quietHours: { days: ["mon"], from: "22:00", to: "07:00", timeZone: "Asia/Tokyo", holdBelow: "HIGH" },
    },
  ],
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

it("a request to swap two shifts expires when the earlier of the two shifts begins", () => {
  const swap = cover({ inReturn: day(3) });

  expect([findCoverDeadline(cover()), findCoverDeadline(swap)].map((ms) => new Date(ms).getUTCDate())).toEqual([4, 3]);
  expect([judgeCoverStatus(cover(), at(day(3).start)), judgeCoverStatus(swap, at(day(3).start))]).toEqual([
    "open",
    "expired",
  ]);
});

/** A shift of Ann's that Bob can take: he has enough rest before and after it. */
const midday = day(4, "11:00", "13:00");

const findReasonAgainstTaking = (userId: string, fields: Partial<Cover>): string | undefined =>
  findReasonNotToTakeCover(cover(fields), userId, {
    ...deciding,
    people: { ...people, unreachable: new Set(["usr_Mia"]) },
  });

it.each<[string, string, Partial<Cover>]>([
  ["usr_Cleo", "Ann's shift of 4 March", {}],
  ["usr_Cleo", "a shift that Ann asks Mia and Cleo to take over", { to: ["usr_Mia", "usr_Cleo"] }],
  ["usr_Cleo", "a shift while she is on call only in a group without her as a member", day(8)],
  ["usr_Bob", "two hours of Ann's shift, with enough rest before and after", midday],
  ["usr_Bob", "Ann's whole shift of 2 March, for his next shift in return", { ...day(2), inReturn: day(3) }],
  ["usr_Bob", "two hours of Ann's shift, for his next shift in return", { ...midday, inReturn: day(5) }],
])("%s can take over %s", (userId, _shift, fields) => {
  expect(findReasonAgainstTaking(userId, fields)).toBeUndefined();
});

it.each<[string, string, string, Partial<Cover>]>([
  ["usr_Ann", "it is her own", "own_shift", {}],
  ["usr_Gone", "the workspace has no person with this id", "not_in_group", {}],
  ["usr_Cleo", "the group does not exist", "not_in_group", { groupId: "grp_None" }],
  ["usr_Vic", "Vic is a viewer", "role", {}],
  ["usr_Cleo", "Ann asks only Mia", "not_asked", { to: ["usr_Mia"] }],
  ["usr_Mia", "Mia has no device that receives pushes", "unreachable", {}],
  ["usr_Cleo", "the request says that Bob is on call, but he is not", "not_on_call", { userId: "usr_Bob" }],
  ["usr_Cleo", "Ann is not on call until the end of the shift", "not_on_call", { end: day(5, "12:00").start }],
  ["usr_Ann", "Ann is on call in another group at that time", "on_call", { userId: "usr_Bob", ...day(7) }],
  ["usr_Bob", "only 10:59 hours pass after his last shift", "no_rest", { ...midday, start: day(4, "10:59").start }],
  ["usr_Bob", "only 10:59 hours pass before his next shift", "no_rest", { ...midday, end: day(4, "13:01").start }],
  ["usr_Bob", "he keeps the end of his next shift", "no_rest", { ...day(2), inReturn: day(3, "00:00", "06:00") }],
  ["usr_Bob", "he keeps the start of his next shift", "no_rest", { ...day(2), inReturn: day(3, "06:00", "00:00") }],
  ["usr_Cleo", "Cleo is not on call in the shift in return", "nothing_in_return", { inReturn: day(3) }],
  ["usr_Bob", "Ann is on call during the shift in return", "other_on_call", { ...midday, inReturn: day(7) }],
])("%s cannot take over a shift if %s (reason: %s)", (userId, _circumstance, reason, fields) => {
  expect(findReasonAgainstTaking(userId, fields)).toBe(reason);
});

it("the candidates for a shift are the group members who are allowed and free to take over that shift", () => {
  expect(listCoverCandidates(cover(), deciding)).toEqual(["usr_Cleo", "usr_Mia"]);
});

it("a cover lists the people who later took over its shift or the shift given in return", () => {
  const [taken, inReturn] = [
    { id: "ovr_1", ...day(4) },
    { id: "ovr_2", ...day(5) },
  ];
  const listHandedOnTo = (first: string, second: string, fields: Partial<Cover> = {}) =>
    listLaterTakers(
      cover({ state: "taken", takenBy: "usr_Bob", overrideIds: ["ovr_1", "ovr_2"], ...fields }),
      addOverrides(people.duty("grp_Ops").group, [
        { ...taken, userId: first },
        { ...inReturn, userId: second },
      ]),
      at(createdAt),
    );

  expect(listHandedOnTo("usr_Bob", "usr_Ann", { inReturn: day(5) })).toEqual([]);
  expect(listHandedOnTo("usr_Cleo", "usr_Mia", { inReturn: day(5) })).toEqual(["usr_Cleo", "usr_Mia"]);
  expect(listHandedOnTo("usr_Cleo", "usr_Mia")).toEqual(["usr_Cleo"]);
});

it("a cover in the API has a status and the names of its people, and says whether the caller can take the shift", () => {
  const view = (fields: Partial<Cover>, caller: string, now = at(createdAt)) =>
    toCoverView(cover(fields), { ...deciding, now, caller });
  const asked = { id: "cov_1", groupId: "grp_Ops", userId: "usr_Ann", ...day(4), createdAt, overrideIds: [] };
  const named = { groupName: "Ops", name: "Ann", createdBy: { id: "usr_Ann", name: "Ann" }, takenBy: null };
  const open = { status: "open", asked: [{ userId: "usr_Cleo", name: "Cleo" }], declined: [], canTake: true };
  const shown = { ...asked, ...named, ...open, note: null, inReturn: null };
  const more = { groupId: "grp_None", note: "Thanks", inReturn: day(5), overrideIds: ["ovr_1"], createdBy: null };
  const taken = { ...more, state: "taken", takenBy: "usr_Gone", declined: new Set(["usr_Mia"]) } as const;
  const after = { status: "taken", takenBy: { userId: "usr_Gone", name: "" }, declined: ["usr_Mia"], canTake: false };

  expect(view({}, "usr_Cleo")).toEqual(shown);
  expect(view({}, "usr_Ann")).toEqual({ ...shown, canTake: false });
  expect(view({}, "usr_Cleo", at(day(4).start))).toEqual({ ...shown, status: "expired", canTake: false });
  expect(view(taken, "usr_Cleo", at(day(5).start))).toEqual({ ...shown, ...more, ...after, groupName: "" });
});

describe("the notices about a cover request", () => {
  const late = { createdAt: "2026-03-03T22:30:00.000Z" };
  const lateRemind = "remind 03-03T23:15 usr_Mia";
  const remind = "remind 03-03T00:00 usr_Mia";
  const expired = "expired 03-04T00:00 usr_Ann";
  const changed = { changedAt: "2026-03-02T07:00:00.000Z", changedBy: "usr_Cleo", takenBy: "usr_Cleo" };
  const withdrawn = { ...changed, state: "withdrawn" } as const;

  it.each<[string, Partial<Cover>, string[]]>([
    [
      "ask by day, in the time zone of each person's quiet hours",
      { asked: ["usr_Bob", "usr_Cleo", "usr_Mia"] },
      ["ask 03-01T12:00 usr_Bob usr_Cleo", "ask 03-01T23:00 usr_Mia", remind, expired],
    ],
    [
      "ask in the morning if the request is made at night",
      { ...late, ...day(4, "12:00", "00:00") },
      ["ask 03-04T08:00 usr_Cleo", "remind 03-04T10:00 usr_Mia", "expired 03-04T12:00 usr_Ann"],
    ],
    ["ask at once if the shift begins before the morning", late, ["ask 03-03T22:30 usr_Cleo", lateRemind, expired]],
    [
      "ask at once if the shift in return begins before the morning",
      { ...late, ...day(6), inReturn: day(4) },
      ["ask 03-03T22:30 usr_Cleo", lateRemind, expired],
    ],
    [
      "remind after half of the time if people are asked less than a day before",
      { createdAt: day(3, "00:00").start, asked: ["usr_Bob"] },
      ["ask 03-03T08:00 usr_Bob", "remind 03-03T16:00 usr_Mia", expired],
    ],
    ["ask not before 8 a.m.", { createdAt: day(2, "07:59").start }, ["ask 03-02T08:00 usr_Cleo", remind, expired]],
    ["ask at once before 9 p.m.", { createdAt: day(1, "20:59").start }, ["ask 03-01T20:59 usr_Cleo", remind, expired]],
    ["wait from 9 p.m. to 8 a.m.", { createdAt: day(1, "21:00").start }, ["ask 03-02T08:00 usr_Cleo", remind, expired]],
    ["ask nobody who declined", { declined: new Set(["usr_Cleo"]) }, [remind, expired]],
    ["ask nobody who left", { asked: ["usr_Gone"] }, [remind, expired]],
    ["are not sent twice", { told: new Set(["ask:2026-03-01T12:00:00.000Z", "remind"]) }, [expired]],
    [
      "remind the owners if the group has no manager",
      { groupId: "grp_None", asked: [] },
      ["remind 03-01T12:00 usr_Olga", expired],
    ],
    ["remind at once if nobody can take the shift", { asked: [] }, ["remind 03-01T12:00 usr_Mia", expired]],
    [
      "inform the person whose shift was taken, and the person who asked on their behalf",
      { ...changed, createdBy: "usr_Mia", state: "taken" },
      ["made 03-01T12:00 usr_Ann", "taken 03-02T07:00 usr_Ann usr_Mia"],
    ],
    [
      "inform a person only once if their shift was taken at their own request",
      { ...changed, state: "taken" },
      ["taken 03-02T07:00 usr_Ann"],
    ],
    ["inform both of a withdrawal", { ...withdrawn, changedBy: "usr_Mia" }, ["withdrawn 03-02T07:00 usr_Ann usr_Cleo"]],
    ["inform the other person of a withdrawal", withdrawn, ["withdrawn 03-02T07:00 usr_Ann"]],
    ["inform nobody of a withdrawal before the shift was taken", { state: "withdrawn" }, []],
  ])("%s", (_, fields, notices) => {
    const all = listUnsentNotices(cover(fields), deciding);

    expect(all.map(({ kind, due, to }) => [kind, new Date(due).toISOString().slice(5, 16), ...to].join(" "))).toEqual(
      notices,
    );
  });
});
