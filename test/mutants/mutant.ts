import type { Order } from "../faults/explore.ts";

/** One mechanism taken out of the code, and where that must be noticed. */
export type Mutant = {
  name: string;
  /** What it takes out. */
  takes: string;
  /** From the repository's root. */
  file: string;
  /** Text that stands in the file exactly once, and what stands there instead. */
  from: string;
  to: string;
  /** A scenario of the fault explorer, or a test file. */
  caughtBy: { scenario: string } | { test: string };
};

export const root = new URL("../../", import.meta.url);

/** The file's text with the mutant in it. Throws where the mutant does not fit the text any more. */
export const mutate = ({ name, file, from, to }: Mutant, source: string): string => {
  const [before, after, ...more] = source.split(from);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(
      `mutant ${name}: its text stands in ${file} ${source.split(from).length - 1} times instead of once`,
    );
  return before + to + after;
};

/** The explorer's runs with a mutant, and the same runs without one. */
export const RUNS: Order = { seed: 1, pairs: 0, share: 0, of: 1 };

/** The environment variable that names the mutant of a process. */
export const MUTANT = "MUTANT";
