import type { CommandSpec, ExitCode, Progress, Values } from "../tools/program.ts";

/** Everything outside the program that a command may use. */
export type World = {
  env: Readonly<Record<string, string | undefined>>;
  /** Prints what was asked for. */
  print: (line: string) => void;
  /** Says on standard error what else there is to know. */
  tell: (line: string) => void;
  progress: Progress;
  /** Milliseconds since the epoch. */
  now: () => number;
  fetch: typeof fetch;
  /** Waits for `ms` milliseconds. */
  sleep: (ms: number) => Promise<void>;
  /** Undefined if the file does not exist. `-` is standard input. */
  readText: (path: string) => string | undefined;
  writeText: (path: string, text: string) => void;
  /** Writes a file that nobody but its owner may read. */
  writeSecret: (path: string, text: string) => void;
};

export type Options = Values;

/** How a command ended. `report`: what `--json` prints. */
export type Ended = { code: ExitCode; report: object };

/** `file`: what follows the command's name, and `rest` whatever follows that. */
export type Command = CommandSpec & {
  run: (world: World, file: string, options: Options, rest: readonly string[]) => Promise<Ended> | Ended;
};

/** An error that the user can fix, so it is shown without a stack trace. */
export class CommandError extends Error {}
