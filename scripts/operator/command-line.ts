import { asksForHelp, meant, readOptions, UsageError } from "../command-line.ts";
import { type Command, commands, type Options } from "./commands.ts";

/** What the command line asks for: to show the usage, or to run a command. */
export type Asked = { kind: "help"; text: string } | { kind: "run"; command: Command; options: Options };

const list = (entries: [name: string, meaning: string][]): string => {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`).join("\n");
};

const overview = (): string =>
  [
    "npm run operator -- <command> --stage <stage> ...",
    "",
    list(Object.entries(commands).map(([name, { does }]) => [name, does])),
    "",
    "What a command needs: npm run operator -- <command> --help",
  ].join("\n");

const STAGE = { stage: "the stage to work on" };

const helpOf = (name: string, { does, needs, takes = {} }: Command): string =>
  [
    `npm run operator -- ${name}`,
    "",
    does,
    "",
    list([
      ...Object.entries({ ...STAGE, ...needs }).map(([option, meaning]): [string, string] => [`--${option}`, meaning]),
      ...Object.entries(takes).map(([option, meaning]): [string, string] => [`[--${option}]`, meaning]),
    ]),
  ].join("\n");

/** Reads the arguments of a command line. Throws a UsageError if there is no such command or option. */
export const readCommandLine = ([name, ...args]: string[], password: string | undefined): Asked => {
  if (name === undefined || name === "help" || asksForHelp([name])) return { kind: "help", text: overview() };
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined)
    throw new UsageError(
      `There is no command ${name}${meant(name, Object.keys(commands))} All: npm run operator -- --help`,
    );
  if (asksForHelp(args)) return { kind: "help", text: helpOf(name, command) };
  const names = Object.keys({ ...STAGE, ...command.needs, ...command.takes });
  const values: Options = readOptions(
    args,
    Object.fromEntries(names.map((each) => [each, { type: "string" } as const])),
  );
  return { kind: "run", command, options: { ...values, password } };
};
