import { describe, expect, it } from "vitest";
import {
  listDutyChanges,
  listDutyMoves,
  listOverrideChanges,
  formatDutyChange,
  addOverrides,
  removeOverrides,
} from "../../../../core/domain/on-call/duty-moves.ts";
import { aLayer, ann, aSchedule, at, bob, cyd, dan } from "./support.ts";

const group = (participants: unknown[], overrides: Parameters<typeof addOverrides>[1] = []) => ({
  schedule: aSchedule("UTC", aLayer({ participants })),
  overrides,
});
const monday = at("2026-03-02T09:00:00Z");
const afterDays = (count: number): number => monday + count * 86_400_000;
const override = { id: "ovr_1", userId: dan, start: "2026-03-03T12:00:00.000Z", end: "2026-03-04T12:00:00.000Z" };
const formatChange = (change: Parameters<typeof formatDutyChange>[0]): string =>
  formatDutyChange(change, { nameOf: (id) => id.slice(4), timeOf: (time) => time.slice(5, 16) });

describe("the preview of an on-call change", () => {
  it.each([
    ["when one person replaces another", group([ann, dan, cyd]), ["03-03T09:00 to 03-04T09:00: dan instead of bob"]],
    [
      "when a person joins a turn",
      group([ann, [bob, dan], cyd]),
      ["03-03T09:00 to 03-04T09:00: bob and dan instead of bob"],
    ],
    [
      "when one of two people in a turn is replaced",
      group([ann, [cyd, bob], cyd]),
      ["03-03T09:00 to 03-04T09:00: cyd and bob instead of bob"],
    ],
    ["when a turn is emptied", group([ann, [], cyd]), ["03-03T09:00 to 03-04T09:00: nobody instead of bob"]],
    ["in no period, if the same people stay on call", group([ann, [bob], cyd]), []],
    [
      "when an override begins, cut at each handoff",
      group([ann, bob, cyd], [override]),
      ["03-03T12:00 to 03-04T09:00: dan instead of bob", "03-04T09:00 to 03-04T12:00: dan instead of cyd"],
    ],
  ])("lists who replaces whom %s", (_, after, lines) => {
    expect(listDutyChanges(group([ann, bob, cyd]), after, monday, afterDays(3)).changes.map(formatChange)).toEqual(
      lines,
    );
  });

  it("lists at most twenty periods, and counts the further periods", () => {
    const { changes, more } = listDutyChanges(group([ann]), group([bob, cyd]), monday, afterDays(25));

    expect([changes.length, more]).toEqual([20, 5]);
  });

  it("lists the periods of an override until its end, without the time that has passed", () => {
    const [before, after] = [group([ann, bob, cyd]), group([ann, bob, cyd], [override])];
    const changesAt = (now: number) => listOverrideChanges(before, after, [override], now).changes.map(formatChange);

    expect(changesAt(afterDays(-9))[0]).toBe("03-03T12:00 to 03-04T09:00: dan instead of bob");
    expect(changesAt(at("2026-03-04T10:00:00Z"))).toEqual(["03-04T10:00 to 03-04T12:00: dan instead of cyd"]);
    expect(changesAt(afterDays(9))).toEqual([]);
  });

  it("covers only the time from the first start to the last end of several overrides", () => {
    const times = ["04", "03"].map((day) => ({ start: `2026-03-${day}T12:00:00Z`, end: `2026-03-${day}T18:00:00Z` }));

    expect(listOverrideChanges(group([ann]), group([bob]), times, monday).changes.map(formatChange)).toEqual([
      "03-03T12:00 to 03-04T18:00: bob instead of ann",
    ]);
  });

  it("is written with the words of the given language", () => {
    const words = {
      nobody: "niemand",
      and: "und",
      during: () => "Mo",
      insteadOf: (a: string, b: string) => `${a} statt ${b}`,
    };
    const change = { start: "", end: "", before: [], after: [ann, bob] };

    expect(formatDutyChange(change, { nameOf: (id) => id, timeOf: (time) => time, words })).toBe(
      "Mo: usr_ann und usr_bob statt niemand",
    );
  });
});

it("an override that is added and removed again leaves the group's other overrides unchanged", () => {
  const before = group([ann], [{ ...override, id: "ovr_0" }]);

  expect(removeOverrides(addOverrides(before, [override]), ["ovr_1"])).toEqual(before);
});

it("for a person who loses every third day, the preview of an on-call change lists only the first of these days", () => {
  const [lost] = listDutyMoves(group([ann, bob, cyd]), group([ann, dan, cyd]), monday);

  expect(lost).toEqual({
    userId: bob,
    lost: { start: afterDays(1), end: afterDays(2) },
    gained: undefined,
    wasOnCall: true,
  });
});

it("the preview of an on-call change lists a replaced person with all lost time, and several new people with their first turns", () => {
  expect(listDutyMoves(group([ann]), group([cyd, [dan]]), monday)).toEqual([
    { userId: ann, lost: { start: monday, end: afterDays(28) }, gained: undefined, wasOnCall: true },
    { userId: cyd, lost: undefined, gained: { start: monday, end: afterDays(1) }, wasOnCall: false },
    { userId: dan, lost: undefined, gained: { start: afterDays(1), end: afterDays(2) }, wasOnCall: false },
  ]);
});
