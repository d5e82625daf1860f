import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { nearest } from "../core/domain/basics/nearest.ts";

/** A command line that cannot be taken. The message is all that its writer needs to see. */
export class UsageError extends Error {}

/** `: did you mean plan?`, where a name is near; otherwise nothing more than a full stop. */
export const meant = (written: string, known: readonly string[]): string => {
  const name = nearest(written, known);
  return name === undefined ? "." : `: did you mean ${name}?`;
};

/** Whether what is asked for is how a command is used. */
export const asksForHelp = (args: readonly string[]): boolean => args.includes("--help") || args.includes("-h");

const UNKNOWN_OPTION = /^Unknown option '(?:-\w, )?(--?[^'= ]+)/;

/** The values of options. Throws a UsageError that names what is wrong, and the option that was probably meant. */
export const readOptions = <const Options extends ParseArgsOptionsConfig>(args: string[], options: Options) => {
  try {
    return parseArgs({ args, options, allowPositionals: false }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [, unknown] = UNKNOWN_OPTION.exec(error.message) ?? [];
    if (unknown === undefined) throw new UsageError(error.message);
    const known = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(`There is no option ${unknown}${meant(unknown, known)}`);
  }
};

/** The options of this process. `--help` prints the usage and ends it; so does what cannot be taken, with exit code 2. */
export const readArguments = <const Options extends ParseArgsOptionsConfig>(usage: string, options: Options) => {
  const args = process.argv.slice(2);
  if (asksForHelp(args)) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return readOptions(args, options);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n\n${usage}\n`);
    process.exit(2);
  }
};
