import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { findNearest } from "../core/domain/basics/nearest.ts";

/** An invalid command line; the message is all that the user needs. */
export class UsageError extends Error {}

/** Returns the end of an error message: `: did you mean plan?`, or a full stop if no known name is similar. */
export const suggestFix = (unknownName: string, knownNames: readonly string[]): string => {
  const name = findNearest(unknownName, knownNames);
  return name === undefined ? "." : `: did you mean ${name}?`;
};

export const asksForHelp = (args: readonly string[]): boolean => args.includes("--help") || args.includes("-h");

const UNKNOWN_OPTION = /^Unknown option '(?:-\w, )?(--?[^'= ]+)/;

/** Parses options. Throws a UsageError with a suggestion if an option is unknown. */
export const readOptions = <const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  takesOperands = false,
) => {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: takesOperands });
    return { values, operands: positionals };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [, unknown] = UNKNOWN_OPTION.exec(error.message) ?? [];
    if (unknown === undefined) throw new UsageError(error.message);
    const known = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(`There is no option ${unknown}${suggestFix(unknown, known)}`);
  }
};

const exitWithUsage = (message: string, usage: string): never => {
  process.stderr.write(`${message}\n\n${usage}\n`);
  process.exit(2);
};

/** Parses the arguments of this process. `--help` prints the usage and exits. Invalid options exit with code 2. */
export const readArguments = <const Options extends ParseArgsOptionsConfig>(usage: string, options: Options) => {
  const args = process.argv.slice(2);
  if (asksForHelp(args)) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return readOptions(args, options).values;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return exitWithUsage(error.message, usage);
  }
};

/** Parses `3/40`: a part (from 1) and the number of parts. Exits if the text is invalid. */
export const parsePart = (usage: string, text: string): { part: number; parts: number } => {
  const [part = Number.NaN, parts = Number.NaN] = text.split("/").map(Number);
  if (Number.isInteger(part) && Number.isInteger(parts) && part >= 1 && part <= parts) return { part, parts };
  return exitWithUsage(`--part is written as 3/40, not ${text}.`, usage);
};
