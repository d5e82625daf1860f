import { expect } from "vitest";
import { compileOnCall } from "../../../core/domain/on-call/index.ts";
import { importExport } from "../../../setup/import/import-export.ts";
import { readAlertsFile } from "../../../setup/read.ts";
import { hoursFrom, type Tick } from "./wall.ts";

/** How many generated schedules an importer is tested with: `npm run test:import` takes 200. */
export const SCHEDULES = Number(process.env["IMPORTED_SCHEDULES"] ?? 6);

export type Export = { zone: string; from: string; files: { path: string; text: string }[] };

/** An export read by the vendor's rules: who is on call at each hour, queried in order of time. */
export type Reader = () => (tick: Tick) => readonly string[];

/** Who is on call at a moment according to a file's schedules. */
export const onCallIn = (yaml: string, time: string): string[] =>
  (readAlertsFile(yaml).file?.schedules ?? []).flatMap((schedule) =>
    compileOnCall(schedule, [])(Date.parse(time)).people.map(({ userId }) => userId),
  );

export type Proven = { different: number; reported: number };

/**
 * Who is on call, hour by hour for 28 days, by an independent reading of an export and by the file made from it. The
 * report must show a difference at exactly the hours at which they differ.
 */
export const prove = (source: string, { zone, from, files }: Export, reader: Reader): Proven => {
  const fromMs = Date.parse(from);
  const { yaml, compared } = importExport(source, files, fromMs);
  const { file, faults } = readAlertsFile(yaml);
  expect(faults).toEqual([]);
  const onCall = reader();
  const byFile = (file?.schedules ?? []).map((schedule) => compileOnCall(schedule, []));
  let different = 0;
  const ticks = hoursFrom(zone, fromMs);
  for (const tick of ticks) {
    const theirs = [...new Set(onCall(tick))].sort();
    const ours = [...new Set(byFile.flatMap((at) => at(tick.ms).people.map(({ userId }) => userId)))].sort();
    const told = compared
      .flatMap(({ differences }) => differences)
      .find((difference) => difference.from <= tick.ms && tick.ms < difference.to);
    if (theirs.join(" ") !== ours.join(" ")) {
      different += 1;
      if (told === undefined)
        expect({ at: new Date(tick.ms).toISOString(), ours }, yaml).toEqual({
          at: new Date(tick.ms).toISOString(),
          ours: theirs,
        });
    } else if (told !== undefined)
      expect.unreachable(`${new Date(tick.ms).toISOString()} is told to be different: ${JSON.stringify(told)}`);
  }
  return {
    different,
    reported: compared.flatMap(({ differences }) => differences).length,
  };
};
