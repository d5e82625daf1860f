/** Everything outside the program that a command may use. */
export type World = {
  env: Readonly<Record<string, string | undefined>>;
  print: (line: string) => void;
  /** Milliseconds since the epoch. */
  now: () => number;
  fetch: typeof fetch;
  /** Waits for `ms` milliseconds. */
  sleep: (ms: number) => Promise<void>;
  /** Undefined if the file does not exist. */
  readText: (path: string) => string | undefined;
  writeText: (path: string, text: string) => void;
};

export type Options = Readonly<Record<string, string | boolean | undefined>>;

/** How a command ended: 0 all is well; 1 it failed, and said why; 2 only from `plan`: something needs a change. */
export type ExitCode = 0 | 1 | 2;

/** A command: what it does, and the options that it takes besides its file, with their meanings. */
export type Command = {
  does: string;
  /** Whether something follows the command's name, usually a file. */
  takesFile: boolean;
  /** What follows the name if it is more than a file, such as `SOURCE EXPORT...`. `rest` gets all but the first. */
  takes?: string;
  options: Readonly<Record<string, { means: string; flag?: boolean }>>;
  run: (world: World, file: string, options: Options, rest: readonly string[]) => Promise<ExitCode> | ExitCode;
};

/** An error that the user can fix, so it is shown without a stack trace. */
export class CommandError extends Error {}
