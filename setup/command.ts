import type { CommandSpec, ExitCode, Progress, Values } from "../tools/program.ts";

/** Everything outside the program that a command may use. */
export type World = {
  env: Readonly<Record<string, string | undefined>>;
  /** Prints the requested result. */
  print: (line: string) => void;
  /** Prints additional information on standard error. */
  tell: (line: string) => void;
  progress: Progress;
  /** Returns milliseconds since the epoch. */
  now: () => number;
  fetch: typeof fetch;
  /** Waits for `ms` milliseconds. */
  sleep: (ms: number) => Promise<void>;
  /** Reads a file; undefined if it does not exist. `-` is standard input. */
  readText: (path: string) => string | undefined;
  writeText: (path: string, text: string) => void;
  /** Writes a file that only its owner may read. */
  writeSecret: (path: string, text: string) => void;
};

export type Options = Values;

/** How a command ended. `report`: the output of `--json`. */
export type Ended = { code: ExitCode; report: object };

/** `file`: the first operand after the command's name; `rest`: further operands. */
export type Command = CommandSpec & {
  run: (world: World, file: string, options: Options, rest: readonly string[]) => Promise<Ended> | Ended;
};

/** An error that the user can fix, so it is shown without a stack trace. */
export class CommandError extends Error {}
