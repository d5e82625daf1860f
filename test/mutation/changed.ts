import { execFileSync } from "node:child_process";

export type Lines = { file: string; from: number; to: number };

const FILE = /^\+\+\+ b\/(?<file>.+)$/;
const HUNK = /^@@ -\S+ \+(?<from>\d+)(?:,(?<count>\d+))? @@/;

/** Returns the lines that a diff, as `git diff -U0` writes it, adds or changes. */
export const listChangedLines = (diff: string): Lines[] => {
  let file = "";
  return diff.split("\n").flatMap((line) => {
    file = FILE.exec(line)?.groups?.["file"] ?? file;
    const { from, count = "1" } = HUNK.exec(line)?.groups ?? {};
    if (from === undefined || count === "0") return [];
    return [{ file, from: Number(from), to: Number(from) + Number(count) - 1 }];
  });
};

/** Returns the lines that changed since a commit. Throws if the commit does not exist. */
export const listLinesChangedSince = (commit: string): Lines[] =>
  listChangedLines(
    execFileSync("git", ["diff", "-U0", "--no-ext-diff", commit], { encoding: "utf8", maxBuffer: 2 ** 28 }),
  );
