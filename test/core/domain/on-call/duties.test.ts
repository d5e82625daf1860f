import { describe, expect, it } from "vitest";
import { findOnCallGroups } from "../../../../core/domain/on-call/duties.ts";
import { noSchedule } from "../../../../core/domain/on-call/views.ts";
import { aLayer, ann, aSchedule, at, bob, cyd } from "./support.ts";

/**
 * Ops has daily turns of Ann, Bob and Cyd from 09:00. In Night, Bob is on call until Thursday noon. Cyd has an override in a
 * group without a schedule.
 */
const schedules = [
  { groupId: "grp_ops", updatedAt: "", ...aSchedule("UTC", aLayer()) },
  {
    groupId: "grp_night",
    updatedAt: "",
    ...aSchedule("UTC", aLayer({ participants: [bob], until: "2026-03-05T12:00" })),
  },
];
const override = (groupId: string, userId: string, start: string, end: string) => ({
  id: `ovr_${userId}`,
  groupId,
  userId,
  start,
  end,
  createdAt: "",
});
const overrides = [override("grp_alone", cyd, "2026-03-03T06:00:00.000Z", "2026-03-03T10:00:00.000Z")];

const groupsWithOverrides = (overrides: ReturnType<typeof override>[]) =>
  new Map(
    [...new Set([...schedules, ...overrides].map(({ groupId }) => groupId))].map((groupId) => [
      groupId,
      {
        schedule: schedules.find((one) => one.groupId === groupId) ?? noSchedule,
        overrides: overrides.filter((one) => one.groupId === groupId),
      },
    ]),
  );

describe("the groups in which a person is on call", () => {
  it.each([
    ["only Ops for Ann, until an override begins", ann, "2026-03-02T09:00:00Z", ["grp_ops"], "2026-03-03T06:00:00Z"],
    [
      "only Night for Bob, until an override begins",
      bob,
      "2026-03-02T09:00:00Z",
      ["grp_night"],
      "2026-03-03T06:00:00Z",
    ],
    [
      "Ops and Night for Bob in his turn",
      bob,
      "2026-03-03T09:00:00Z",
      ["grp_ops", "grp_night"],
      "2026-03-03T10:00:00Z",
    ],
    ["the group of Cyd's override", cyd, "2026-03-03T09:00:00Z", ["grp_alone"], "2026-03-03T10:00:00Z"],
    ["only Ops for Cyd, until her turn ends", cyd, "2026-03-04T10:00:00Z", ["grp_ops"], "2026-03-05T09:00:00Z"],
    ["none for Ann, until an override ends", ann, "2026-03-03T09:00:00Z", [], "2026-03-03T10:00:00Z"],
  ])("are, at one moment, %s", (_what, userId, time, groupIds, until) => {
    expect(findOnCallGroups(groupsWithOverrides(overrides), userId, at(time))).toEqual({ groupIds, until: at(until) });
  });

  it("are searched only among the given groups", () => {
    const findDutyAmong = (...groupIds: string[]) =>
      findOnCallGroups(groupsWithOverrides(overrides), bob, at("2026-03-03T09:00:00Z"), groupIds);

    expect(findDutyAmong("grp_night")).toEqual({ groupIds: ["grp_night"], until: at("2026-03-05T12:00:00Z") });
    expect(findDutyAmong("grp_ops", "grp_gone")).toEqual({ groupIds: ["grp_ops"], until: at("2026-03-04T09:00:00Z") });
    expect(findDutyAmong()).toEqual({ groupIds: [], until: Infinity });
  });

  it("are changed by an override only in the group of that override", () => {
    const instead = [override("grp_ops", cyd, "2026-03-03T06:00:00.000Z", "2026-03-03T10:00:00.000Z")];
    const groupsOf = (userId: string) =>
      findOnCallGroups(groupsWithOverrides(instead), userId, at("2026-03-03T09:30:00Z")).groupIds;

    expect(groupsOf(bob)).toEqual(["grp_night"]);
    expect(groupsOf(cyd)).toEqual(["grp_ops"]);
  });
});
