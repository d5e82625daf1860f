/** What a command may use of the world. */
export type World = {
  env: Readonly<Record<string, string | undefined>>;
  print: (line: string) => void;
  /** Milliseconds since the epoch. */
  now: () => number;
  fetch: typeof fetch;
  /** Waits so many milliseconds. */
  sleep: (ms: number) => Promise<void>;
  /** Undefined where there is no such file. */
  readText: (path: string) => string | undefined;
  writeText: (path: string, text: string) => void;
};

export type Options = Readonly<Record<string, string | boolean | undefined>>;

/** How a command ended: 0 all is well; 1 it failed, and said why; 2 of `plan`: there is something to change. */
export type ExitCode = 0 | 1 | 2;

/** A command: the options that it takes beside its file, with what they mean, and what it does. */
export type Command = {
  does: string;
  /** What stands after the command's name: a file, mostly. */
  takesFile: boolean;
  /** What stands there where it is more than a file, such as `SOURCE EXPORT...`: the rest of it is handed on. */
  takes?: string;
  options: Readonly<Record<string, { means: string; flag?: boolean }>>;
  run: (world: World, file: string, options: Options, rest: readonly string[]) => Promise<ExitCode> | ExitCode;
};

/** What a user can mend: told without a stack trace. */
export class CommandError extends Error {}
