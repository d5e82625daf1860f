import * as fc from "fast-check";
import { histories, type Command, type History } from "./history.ts";
import { addRepeats, createRepeats, type Repeats } from "./repeats.ts";
import { runHistory } from "./run.ts";

export type Wanted = { runs: number; seed: number; path?: string | undefined };

/** `failure`: the shortened history in words, and how to run it again. */
type Checked = { failure: string | undefined; rounds: Repeats };

const violatesSpecification = async (history: History): Promise<boolean> =>
  (await runHistory(history)).violations.length > 0;

/** Shortens a failing history: leaves out halves first, then ever smaller parts, down to single commands. */
const removeNeedlessCommands = async (history: History): Promise<History> => {
  let short = history;
  for (let size = Math.ceil(history.length / 2); size >= 1;) {
    let found = false;
    for (let from = short.length - size; from >= 0; from -= size) {
      const shorter = short.toSpliced(from, size);
      if (!(await violatesSpecification(shorter))) continue;
      short = shorter;
      found = true;
    }
    if (size > 1) size = Math.floor(size / 2);
    else if (!found) break;
  }
  return short;
};

const SIMPLEST = new Map<string, 0 | null>([
  ...(["pick", "by", "apiKey", "after"] as const).map((field) => [field, 0] as const),
  ...(["dedupeKey", "resolves", "idempotencyKey", "requiresAck", "note"] as const).map(
    (field) => [field, null] as const,
  ),
]);

/** Lists simpler values of a command's fields: 0 for a choice, or null for an option. */
const listSimplerChoices = (command: Command): Partial<Command>[] =>
  Object.entries(command).flatMap(([field, value]) => {
    const plain = SIMPLEST.get(field);
    return plain === undefined || plain === value ? [] : [{ [field]: plain }];
  });

const simplifyChoices = async (history: History): Promise<History> => {
  let plain = history;
  for (const [index, command] of history.entries())
    for (const choice of listSimplerChoices(command)) {
      const changed = plain.with(index, { ...plain[index], ...choice } as Command);
      if (await violatesSpecification(changed)) plain = changed;
    }
  return plain;
};

/**
 * Checks random histories. A failed history is shortened as long as it still fails. `failure`: undefined if all histories
 * succeeded. `rounds`: the counts of repeats.ts, summed up over all histories.
 */
export const checkHistories = async ({ runs, seed, path }: Wanted): Promise<Checked> => {
  const all = createRepeats();
  const details = await fc.check(
    fc.asyncProperty(histories, async (history) => {
      const { violations, rounds } = await runHistory(history);
      addRepeats(all, rounds);
      return violations.length === 0;
    }),
    { numRuns: runs, seed, endOnFailure: true, ...(path === undefined ? {} : { path }) },
  );
  if (!details.failed) return { failure: undefined, rounds: all };
  const [history] = details.counterexample ?? [[]];
  const short = await removeNeedlessCommands(await simplifyChoices(await removeNeedlessCommands(history)));
  const { story, violations } = await runHistory(short);
  const first = Number(path?.split(":")[0] ?? 0);
  const text = [
    `history ${first + details.numRuns} of seed ${seed} fails; shortened from ${history.length} to ${story.length} commands:`,
    ...story.map((line) => `  ${line}`),
    ...violations.map((line) => `VIOLATION ${line}`),
    `again: npm run test:model -- --seed ${seed} --path ${details.counterexamplePath}`,
  ].join("\n");
  return { failure: text, rounds: all };
};
