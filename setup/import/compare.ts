import { compileDuty } from "../../core/domain/on-call/index.ts";
import { getZone } from "../../core/domain/basics/clock/zone.ts";
import type { SetUp } from "../write.ts";
import type { Check } from "./draft.ts";
import type { ComparedShifts, Difference } from "./report.ts";
import { DAY_MS } from "../../core/domain/basics/units.ts";

const QUARTER = 15 * 60_000;

const sortDistinctPeople = (people: readonly string[]): string[] => [...new Set(people)].sort();

/** Compares, for every quarter of an hour, who is on call in this service and in the other service. */
export const compareOnCall = (
  { schedules }: Pick<SetUp, "schedules">,
  { schedule, groups, timeZone, source, reading }: Check,
  { fromMs, days }: { fromMs: number; days: number },
): ComparedShifts => {
  const zone = getZone(timeZone);
  const ours = schedules
    .filter(({ group }) => groups.includes(group))
    .map((file) => compileDuty({ schedule: file, overrides: [] }));
  const differences: Difference[] = [];
  let local = -Infinity;
  for (let ms = fromMs - DAY_MS; ms < fromMs + days * DAY_MS; ms += QUARTER) {
    local = Math.max(local, ms + zone.offsetAt(ms));
    if (ms < fromMs) continue;
    const [here, there] = [
      sortDistinctPeople(ours.flatMap((at) => at(ms).people.map(({ userId }) => userId))),
      sortDistinctPeople(reading(ms, local)),
    ];
    if (here.join(" ") === there.join(" ")) continue;
    const last = differences.at(-1);
    const goesOn =
      last?.to === ms && last.ours.join(" ") === here.join(" ") && last.theirs.join(" ") === there.join(" ");
    if (last !== undefined && goesOn) last.to = ms + QUARTER;
    else differences.push({ from: ms, to: ms + QUARTER, theirs: there, ours: here });
  }
  return { schedule, groups, source, differences };
};
