import type { Assignment } from "../faults/explore.ts";

export type Mutant = {
  name: string;
  /** The mechanism that the mutant removes. */
  removes: string;
  /** A path from the repository's root, and the top-level declaration that contains the change. */
  at: readonly [file: string, declaration: string];
  /** A scenario of the fault explorer, or a test file. */
  caughtBy: { scenario: string } | { test: string };
} & Change;

/**
 * The change of a mutant. Each given text occurs exactly once in the declaration. `drops` removes the line that contains the
 * text, which must be a whole statement or a whole entry of a list. `moves` moves this line. `cuts` removes only the text.
 */
export type Change =
  | { drops: string }
  | { moves: string; behind: string }
  | { cuts: string }
  | { from: string; to: string };

export const root = new URL("../../", import.meta.url);

const DECLARATION = /^(?:export )?(?:async )?(?:const|function\*?|class) (\w+)/;
/** An unindented line that closes a declaration instead of beginning one. */
const CLOSING = /^[)\]}]/;

const findDeclaration = ({ name, at: [file, declaration] }: Mutant, lines: readonly string[]) => {
  const [begin, ...more] = [...lines.keys()].filter((at) => DECLARATION.exec(lines[at] ?? "")?.[1] === declaration);
  if (begin === undefined || more.length > 0)
    throw new Error(`mutant ${name}: ${file} does not declare ${declaration} exactly once at its top level`);
  const next = lines.findIndex((line, at) => at > begin && /^\S/.test(line) && !CLOSING.test(line));
  return { begin, end: next < 0 ? lines.length : next };
};

/** Throws if the source no longer contains the texts of the mutant. */
export const mutate = (mutant: Mutant, source: string): string => {
  const [file, declaration] = mutant.at;
  const lines = source.split("\n");
  const { begin, end } = findDeclaration(mutant, lines);
  const body = lines.slice(begin, end);
  const checkOnce = (text: string): void => {
    const times = body.join("\n").split(text).length - 1;
    const fault = `${JSON.stringify(text)} occurs ${times} times in ${declaration} of ${file}, but must occur once`;
    if (times !== 1) throw new Error(`mutant ${mutant.name}: ${fault}. Change the text in the catalogue.`);
  };
  const removeStatement = (text: string): string[] => {
    checkOnce(text);
    const at = body.findIndex((line) => line.includes(text));
    if (!/[;,]$/.test(body[at] ?? ""))
      throw new Error(`mutant ${mutant.name}: the line of ${text} is not a whole statement`);
    return body.splice(at, 1);
  };

  if ("drops" in mutant) removeStatement(mutant.drops);
  else if ("moves" in mutant) {
    checkOnce(mutant.behind);
    const line = removeStatement(mutant.moves);
    body.splice(body.findIndex((each) => each.includes(mutant.behind)) + 1, 0, ...line);
  } else {
    const { from, to } = "cuts" in mutant ? { from: mutant.cuts, to: "" } : mutant;
    checkOnce(from);
    body.splice(
      0,
      body.length,
      body.join("\n").replace(from, () => to),
    );
  }
  return lines.toSpliced(begin, end - begin, ...body).join("\n");
};

/** Which runs the fault explorer makes: the same with and without a mutant. */
export const RUNS: Assignment = { seed: 1, pairs: 0, share: 0, of: 1 };

export const MUTANT = "MUTANT";
