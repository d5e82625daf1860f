import "../faults/engine/environment.ts";
import { describe, expect, it, test } from "vitest";
import { GOAL_MS, isOnTime, listFaultRows, renderFaultTable, compareWithGoal } from "../../bench/lateness/rows.ts";
import { computeLateMinutes, sumLateMinutes } from "../../bench/lateness/year.ts";
import { exploreLate, type LateRun } from "../faults/late.ts";
import { scenarioByName } from "../faults/scenarios/index.ts";

const runEveryFourthFault = async (): Promise<LateRun[]> =>
  Array.fromAsync(exploreLate(scenarioByName("plain"), { pairs: 0, share: 0, of: 4 }));

const aRun = (faults: string[], seconds: number, more: Partial<LateRun> = {}): LateRun => ({
  plan: `plain:1:${seconds}`,
  faults,
  lateMs: 1000 * seconds,
  repeats: 0,
  unexcused: 0,
  ...more,
});

describe("the table that shows how late pages are", () => {
  it(
    "shows that pages are on time after any single fault, with the same figures in each run",
    { timeout: 120_000 },
    async () => {
      const runs = await runEveryFourthFault();

      expect(runs.length).toBeGreaterThan(60);
      expect(listFaultRows(runs).filter((row) => !compareWithGoal(row).met)).toEqual([]);
      expect(await runEveryFourthFault()).toEqual(runs);
    },
  );

  it("has a row for each kind of fault, and marks goals that are not met", () => {
    const runs = [
      aRun([], 0.2),
      aRun(["write lost"], 1),
      aRun(["send denied"], 66),
      aRun(["write throttle-partition"], 180),
    ];

    expect(renderFaultTable("What goes wrong", listFaultRows(runs))).toEqual([
      "| What goes wrong | p50, p99, worst | Goal |",
      "|---|---|---|",
      "| Nothing | 0.2, 0.2, 0.2 | 65 |",
      "| The table refuses a call, or its answer is lost | 1.0, 1.0, 1.0 | 65 |",
      "| A partition is throttled for two minutes | 180.0, 180.0, 180.0 | 185 |",
      "| A queue refuses a message, or its answer is lost | 66.0, 66.0, 66.0 **not met** | 65 |",
    ]);
    expect(listFaultRows(runs).map(isOnTime)).toEqual([true, true, false, false]);
  });

  it("marks a goal as not met if a device gets a second push although the push service had answered the first", () => {
    const runs = [
      aRun(["push accepted-no-answer"], 5, { repeats: 1 }),
      aRun(["send duplicate"], 0, { repeats: 1, unexcused: 1 }),
    ];
    const rows = listFaultRows(runs).filter(({ samples }) => samples.length > 0);

    expect(rows.map((row) => [row.name, compareWithGoal(row).met])).toEqual([
      ["A queue delivers a message twice", false],
      ["The answer of a push service is lost", true],
    ]);
    expect(GOAL_MS).toBe(65_000);
  });
});

test("the late minutes of an outage are those in which a page would be more than five minutes late", () => {
  expect([0, 3, 5, 120].map((minutes) => Math.round(computeLateMinutes(minutes)))).toEqual([0, 0, 1, 116]);
  expect(sumLateMinutes(2022)).toEqual({ least: 0, most: 0 });
  // On 13 June 2023, Lambda was down for 116 minutes, and other services for up to 228: four minutes more than are counted.
  expect(Object.values(sumLateMinutes(2023)).map(Math.round)).toEqual([112, 224]);
});
