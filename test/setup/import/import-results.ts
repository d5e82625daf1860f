import * as fc from "fast-check";
import { expect } from "vitest";
import { compileDuty } from "../../../core/domain/on-call/index.ts";
import { importExport } from "../../../setup/import/import-export.ts";
import { readAlertsFile } from "../../../setup/read.ts";
import { listHours, type Tick } from "./wall.ts";

type Imported = ReturnType<typeof importExport>;

/** Lists the remarks, except remarks about people themselves. */
export const listRemarks = ({ draft }: Imported, ...kinds: string[]): string[] =>
  draft.remarks.flatMap(({ kind, what, why }) =>
    kinds.includes(kind) && !/^(?:User |Owners$)/.test(what) ? [`${what}: ${why}`] : [],
  );

export const countDifferences = ({ compared }: Imported): number =>
  compared.flatMap(({ differences }) => differences).length;

/** `npm run test:import` uses 200 schedules. */
const SCHEDULES = Number(process.env["IMPORTED_SCHEDULES"] ?? 6);

export type Export = { zone: string; from: string; files: { path: string; text: string }[] };

/** Implements the vendor's rules a second time. The returned function says who is on call; it must be called in order of time. */
export type Reader = () => (tick: Tick) => readonly string[];

export const listOnCallIn = (yaml: string, time: string): string[] =>
  (readAlertsFile(yaml).file?.schedules ?? []).flatMap((schedule) =>
    compileDuty({ schedule, overrides: [] })(Date.parse(time)).people.map(({ userId }) => userId),
  );

/**
 * Compares who is on call, hour by hour for 28 days. The report must show a difference at exactly the hours at which the import
 * has other people on call.
 */
const checkImport = (source: string, { zone, from, files }: Export, reader: Reader) => {
  const fromMs = Date.parse(from);
  const imported = importExport(source, files, fromMs);
  const { yaml, compared } = imported;
  const { file, faults } = readAlertsFile(yaml);
  expect(faults).toEqual([]);
  const onCall = reader();
  const byFile = (file?.schedules ?? []).map((schedule) => compileDuty({ schedule, overrides: [] }));
  let different = 0;
  const ticks = listHours(zone, fromMs);
  for (const tick of ticks) {
    const theirs = [...new Set(onCall(tick))].sort();
    const ours = [...new Set(byFile.flatMap((at) => at(tick.ms).people.map(({ userId }) => userId)))].sort();
    const notified = compared
      .flatMap(({ differences }) => differences)
      .find((difference) => difference.from <= tick.ms && tick.ms < difference.to);
    if (theirs.join(" ") !== ours.join(" ")) {
      different += 1;
      if (notified === undefined)
        expect({ at: new Date(tick.ms).toISOString(), ours }, yaml).toEqual({
          at: new Date(tick.ms).toISOString(),
          ours: theirs,
        });
    } else if (notified !== undefined)
      expect.unreachable(`${new Date(tick.ms).toISOString()} is reported as different: ${JSON.stringify(notified)}`);
  }
  return { different, reported: countDifferences(imported) };
};

/** Measures the share of schedules that have the same people on call after an import. */
export const measureEqualShare = <Schedule>(
  source: string,
  schedules: fc.Arbitrary<Schedule>,
  of: (schedule: Schedule) => [exported: Export, reader: Reader],
): number => {
  let equal = 0;
  fc.assert(
    fc.property(schedules, (schedule) => {
      const { different, reported } = checkImport(source, ...of(schedule));
      expect(reported > 0).toBe(different > 0);
      equal += different === 0 ? 1 : 0;
    }),
    { numRuns: SCHEDULES, seed: 18 },
  );
  return equal / SCHEDULES;
};
