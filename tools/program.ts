import { readFileSync } from "node:fs";
import * as v from "valibot";
import { asksForHelp, suggestFix, readOptions, UsageError } from "./command-line.ts";

/** How a program ends. 0: success; 1: a failure, explained on standard error; 2: an invalid command line. */
export type ExitCode = 0 | 1 | 2;

/** `flag`: whether the option takes no value. */
export type OptionSpec = { means: string; flag?: boolean; needed?: boolean };

export type CommandSpec = {
  does: string;
  /** The operands of the command, such as `FILE` (`...` for several); absent if the command has no operands. */
  takes?: string;
  options: Readonly<Record<string, OptionSpec>>;
};

/** `ends`: the meanings of the program's exit codes, if they differ from `ENDS`. */
export type Program<Command> = {
  name: string;
  does: string;
  commands: Readonly<Record<string, Command>>;
  specOf: (command: Command) => CommandSpec;
  ends?: readonly string[];
};

export type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

export type CommandLine<Command> =
  | { kind: "text"; text: string }
  | { kind: "run"; name: string; command: Command; values: OptionValues; operands: readonly string[] };

const COMMON: Readonly<Record<string, OptionSpec>> = {
  json: { means: "print the outcome as JSON", flag: true },
  help: { means: "say how the command is used, and end", flag: true },
};

const ENDS = [
  "0  success",
  "1  failure, and standard error says why",
  "2  the command line was not understood, and nothing was done",
];

/** The root of the repository or of the installed package. */
export const home = new URL("../", import.meta.url);

const readVersion = (): string => {
  const text = readFileSync(new URL("package.json", home), "utf8");
  return v.parse(v.pipe(v.string(), v.parseJson(), v.object({ version: v.string() })), text).version;
};

/** Returns one indented line per pair of texts. The second texts start in the same column. */
const alignColumns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
};

/** Returns the beginning of a command line: `npm run NAME --` for an npm script, or an installed program's name. */
const renderCommandStart = ({ name }: { name: string }): string =>
  process.env["npm_lifecycle_event"] === name ? `npm run ${name} --` : name;

const renderOverview = <Command>(program: Program<Command>): string => {
  const call = renderCommandStart(program);
  const rows = Object.entries(program.commands).map(([name, command]) => {
    const { does, takes = "" } = program.specOf(command);
    return [`${name} ${takes}`.trimEnd(), does] as const;
  });
  return [
    program.does,
    "",
    `${call} COMMAND ...`,
    "",
    alignColumns([
      ...rows,
      ["completion bash|zsh", "prints what completes command lines: eval it, or keep it in a file"],
    ]),
    "",
    alignColumns([
      ["--version", "prints the version"],
      ["COMMAND --help", "says what a command takes"],
    ]),
    "",
    "Ends with",
    ...(program.ends ?? ENDS).map((line) => `  ${line}`),
  ].join("\n");
};

const renderUsage = <Command>(program: Program<Command>, command: string, spec: CommandSpec): string => {
  const rows = Object.entries({ ...spec.options, ...COMMON }).map(([option, { means, flag, needed }]) => {
    const written = flag === true ? `--${option}` : `--${option} VALUE`;
    return [needed === true ? written : `[${written}]`, means] as const;
  });
  const call = `${renderCommandStart(program)} ${command} ${spec.takes ?? ""}`.trimEnd();
  return [call, "", spec.does, "", alignColumns(rows)].join("\n");
};

const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const listOptions = (spec: CommandSpec): [name: string, spec: OptionSpec][] =>
  Object.entries({ ...spec.options, ...COMMON });

const listCommands = <Command>(program: Program<Command>): [name: string, spec: CommandSpec][] => [
  ...Object.entries(program.commands).map(([name, command]): [string, CommandSpec] => [name, program.specOf(command)]),
  ["completion", { does: "prints what completes command lines", takes: "bash|zsh", options: {} }],
];

const renderBashCompletion = <Command>(program: Program<Command>): string => {
  const { name } = program;
  const commands = listCommands(program);
  const cases = commands.map(
    ([command, spec]) =>
      `    *:${command}) words="${listOptions(spec)
        .map(([option]) => `--${option}`)
        .join(" ")}" ;;`,
  );
  return [
    `_${name}() {`,
    '  local words="" word="${COMP_WORDS[COMP_CWORD]}"',
    '  case "$COMP_CWORD:${COMP_WORDS[1]}" in',
    `    1:*) words="${commands.map(([command]) => command).join(" ")} --help --version" ;;`,
    '    2:completion) words="bash zsh" ;;',
    ...cases,
    "  esac",
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    '  [ "${#COMPREPLY[@]}" -gt 0 ] || COMPREPLY=($(compgen -f -- "$word"))',
    "}",
    `complete -o filenames -F _${name} ${name}`,
  ].join("\n");
};

const renderZshCompletion = <Command>(program: Program<Command>): string => {
  const { name } = program;
  const commands = listCommands(program);
  const described = commands.map(
    ([command, { does }]) => `    ${quoteForShell(`${command}:${does.replaceAll(":", "\\:")}`)}`,
  );
  const cases = commands.map(([command, spec]) => {
    const options = listOptions(spec).map(([option, { means, flag }]) => {
      const meaning = means.replaceAll(/[[\]:]/g, "\\$&");
      return quoteForShell(`--${option}[${meaning}]${flag === true ? "" : ":value:_files"}`);
    });
    return `    ${command}) _arguments ${options.join(" ")} '*:file:_files' ;;`;
  });
  return [
    `#compdef ${name}`,
    `_${name}() {`,
    "  local -a commands=(",
    ...described,
    "  )",
    "  if (( CURRENT == 2 )); then _describe command commands; return; fi",
    "  case $words[2] in",
    ...cases,
    "  esac",
    "}",
    `compdef _${name} ${name}`,
  ].join("\n");
};

const renderCompletion = <Command>(program: Program<Command>, operands: readonly string[]): string => {
  if (operands.join() === "bash") return renderBashCompletion(program);
  if (operands.join() === "zsh") return renderZshCompletion(program);
  throw new UsageError(`For which shell? ${renderCommandStart(program)} completion bash|zsh`);
};

const parseArgs = (
  args: readonly string[],
  spec: CommandSpec,
): { values: OptionValues; operands: readonly string[] } => {
  const options: Record<string, { type: "boolean" | "string" }> = {};
  for (const [option, { flag }] of listOptions(spec)) options[option] = { type: flag === true ? "boolean" : "string" };
  return readOptions(args, options, spec.takes !== undefined);
};

/** Returns how many operands are allowed. Operands in brackets are optional; a final `...` allows any number. */
const parseOperandRange = (operandSyntax: string): { least: number; most: number } => {
  const names = operandSyntax === "" ? [] : operandSyntax.split(" ");
  return {
    least: names.filter((name) => !name.startsWith("[")).length,
    most: operandSyntax.endsWith("...") ? Number.POSITIVE_INFINITY : names.length,
  };
};

/** Returns the command to run, or the text to print (help, version, completion). Throws a UsageError for invalid arguments. */
export const readCommandLine = <Command>(program: Program<Command>, args: readonly string[]): CommandLine<Command> => {
  const [name, ...rest] = args;
  if (name === undefined || name === "help" || asksForHelp([name]))
    return { kind: "text", text: renderOverview(program) };
  if (name === "--version") return { kind: "text", text: `${program.name} ${readVersion()}` };
  if (name === "completion" && !asksForHelp(rest)) return { kind: "text", text: renderCompletion(program, rest) };
  const command = Object.hasOwn(program.commands, name) ? program.commands[name] : undefined;
  if (command === undefined)
    throw new UsageError(
      `There is no command ${name}${suggestFix(name, Object.keys(program.commands))} All: ${renderCommandStart(program)} --help`,
    );
  const spec = program.specOf(command);
  const usage = renderUsage(program, name, spec);
  if (asksForHelp(rest)) return { kind: "text", text: usage };
  const { values, operands } = parseArgs(rest, spec);
  const missing = listOptions(spec).find(([option, { needed }]) => needed === true && values[option] === undefined);
  if (missing !== undefined) throw new UsageError(`--${missing[0]} is missing.\n\n${usage}`);
  const { least, most } = parseOperandRange(spec.takes ?? "");
  if (operands.length < least || operands.length > most)
    throw new UsageError(`${spec.takes ?? "Nothing"} must follow ${name}.\n\n${usage}`);
  return { kind: "run", name, command, values, operands };
};

/** Starts a progress display. The returned function must be called after each item. `of`: the number of items. */
export type Progress = (what: string, of: number) => () => void;

const EVERY = 100;

/** Shows progress: on a terminal as a single line on standard error, otherwise as a line after every `EVERY` items. */
export const createProgress =
  (stream: { isTTY?: boolean; write: (text: string) => unknown }): Progress =>
  (what, of) => {
    let done = 0;
    return () => {
      done += 1;
      if (stream.isTTY === true) stream.write(`\r${what}: ${done} of ${of}${done === of ? "\n" : ""}`);
      else if (done % EVERY === 0) stream.write(`${what}: ${done} of ${of}\n`);
    };
  };
