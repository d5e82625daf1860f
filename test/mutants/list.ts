import { readdirSync, readFileSync } from "node:fs";
import type { Change, Mutant } from "./mutant.ts";

const CATALOGUE = new URL("catalogue/", import.meta.url);

/**
 * A mutant has three lines: its name and the mechanism that it removes, the changed declaration and the test that catches the
 * mutant, and the change. A line break in a text is written as ⏎.
 */
const ROW =
  /^(?<name>[\w-]+): (?<removes>.+)\n {2}(?<file>\S+) (?<symbol>\w+), caught by (?<by>\S+)\n {2}(?<verb>drops|cuts|moves|turns) «(?<from>[^»]+)»(?: (?:behind|into) «(?<to>[^»]+)»)?$/;

const parseChange = (verb = "", from = "", to = ""): Change => {
  if (verb === "drops") return { drops: from };
  if (verb === "cuts") return { cuts: from };
  return verb === "moves" ? { moves: from, behind: to } : { from, to };
};

const parseRow = (row: string): Mutant => {
  const { name, removes, file, symbol, by, verb, from, to } = ROW.exec(row)?.groups ?? {};
  if (name === undefined || removes === undefined || file === undefined || symbol === undefined || by === undefined)
    throw new Error(`This is not a mutant:\n${row}`);
  const caughtBy = by.endsWith(".test.ts") ? { test: by } : { scenario: by };
  const unescape = (written: string | undefined) => written?.replaceAll("⏎", "\n");
  return { name, removes, at: [file, symbol], caughtBy, ...parseChange(verb, unescape(from), unescape(to)) };
};

export const mutants: readonly Mutant[] = readdirSync(CATALOGUE).flatMap((file) =>
  readFileSync(new URL(file, CATALOGUE), "utf8")
    .split(/\n(?=\S)/)
    .map((row) => row.trimEnd())
    .filter((row) => !row.startsWith("#"))
    .map(parseRow),
);

export const findMutant = (name: string): Mutant => {
  const found = mutants.find((mutant) => mutant.name === name);
  if (found === undefined)
    throw new Error(`There is no mutant ${name}. Mutants: ${mutants.map((mutant) => mutant.name).join(", ")}`);
  return found;
};
