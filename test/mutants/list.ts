import { readdirSync, readFileSync } from "node:fs";
import type { Change, Mutant } from "./mutant.ts";

const CATALOGUE = new URL("catalogue/", import.meta.url);

/**
 * A mutant has three lines: the mechanism that it removes, the place and the test that catches the mutant, and the change. A
 * line break in a text is written as ⏎.
 */
const ROW =
  /^(?<name>[\w-]+): (?<takes>.+)\n {2}(?<file>\S+) (?<declaration>\w+), caught by (?<by>\S+)\n {2}(?<verb>drops|cuts|moves|turns) «(?<one>[^»]+)»(?: (?:behind|into) «(?<two>[^»]+)»)?$/;

const parseChange = (verb = "", one = "", two = ""): Change => {
  if (verb === "drops") return { drops: one };
  if (verb === "cuts") return { cuts: one };
  return verb === "moves" ? { moves: one, behind: two } : { from: one, to: two };
};

const parseRow = (row: string): Mutant => {
  const { name, takes, file, declaration, by, verb, one, two } = ROW.exec(row)?.groups ?? {};
  if (name === undefined || takes === undefined || file === undefined || declaration === undefined || by === undefined)
    throw new Error(`no mutant:\n${row}`);
  const caughtBy = by.endsWith(".test.ts") ? { test: by } : { scenario: by };
  const unescape = (written: string | undefined) => written?.replaceAll("⏎", "\n");
  return { name, takes, at: [file, declaration], caughtBy, ...parseChange(verb, unescape(one), unescape(two)) };
};

export const mutants: readonly Mutant[] = readdirSync(CATALOGUE).flatMap((file) =>
  readFileSync(new URL(file, CATALOGUE), "utf8")
    .split(/\n(?=\S)/)
    .map((row) => row.trimEnd())
    .filter((row) => !row.startsWith("#"))
    .map(parseRow),
);

export const mutantByName = (name: string): Mutant => {
  const found = mutants.find((mutant) => mutant.name === name);
  if (found === undefined)
    throw new Error(`no mutant ${name}; there are ${mutants.map((mutant) => mutant.name).join(", ")}`);
  return found;
};
