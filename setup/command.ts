import type { CommandSpec, ExitCode, Progress, OptionValues } from "../tools/program.ts";

/** What a command may use of the computer on which the command runs; the console has replacements. */
export type World = {
  env: Readonly<Record<string, string | undefined>>;
  print: (line: string) => void;
  /** Prints a line on standard error. */
  tell: (line: string) => void;
  progress: Progress;
  now: () => number;
  fetch: typeof fetch;
  sleep: (ms: number) => Promise<void>;
  /** Reads a file; returns undefined if the file does not exist. `-` is standard input. */
  readText: (path: string) => string | undefined;
  writeText: (path: string, text: string) => void;
  /** Writes a file that only its owner can read. */
  writeSecret: (path: string, text: string) => void;
};

export type Options = OptionValues;

/** `report`: the output with the option `--json`. */
export type RunResult = { code: ExitCode; report: object };

/** A command of the program. `file`: the first operand; `rest`: further operands. */
export type Command = CommandSpec & {
  run: (world: World, file: string, options: Options, rest: readonly string[]) => Promise<RunResult> | RunResult;
};

/** An error that the user can fix, shown without a stack trace. */
export class CommandError extends Error {}
