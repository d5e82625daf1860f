import { parseArgs } from "node:util";
import { nearest } from "../../core/domain/basics/nearest.ts";
import { type Command, CommandError, type ExitCode, type World } from "./command.ts";
import { exportCommand } from "./export.ts";
import { importCommand } from "./import/command.ts";
import { jsonSchemaText, schemaFile } from "./json-schema.ts";
import { applyCommand, planCommand } from "./sync.ts";
import { testCommand } from "./test.ts";

const schemaCommand: Command = {
  does: "writes the JSON Schema of the file, by which editors complete and check",
  takesFile: false,
  options: {},
  run: ({ writeText }) => {
    writeText(schemaFile, jsonSchemaText());
    return 0;
  },
};

const commands: Readonly<Record<string, Command>> = {
  test: testCommand,
  plan: planCommand,
  apply: applyCommand,
  export: exportCommand,
  import: importCommand,
  schema: schemaCommand,
};

const usageOf = (name: string, { does, takesFile, takes = takesFile ? "FILE" : "", options }: Command): string =>
  [
    `npm run alerts -- ${name} ${takes}`.trimEnd(),
    `  ${does}`,
    ...Object.entries(options).map(([option, { means, flag }]) => {
      const written = flag === true ? `--${option}` : `--${option} VALUE`;
      return `    ${written.padEnd(24)} ${means}`;
    }),
  ].join("\n");

const help = (): string =>
  Object.entries(commands)
    .map(([name, command]) => usageOf(name, command))
    .join("\n\n");

const run = async (world: World, [name = "", ...args]: readonly string[]): Promise<ExitCode> => {
  if (name === "" || name === "help" || name === "--help") {
    world.print(help());
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    const meant = nearest(name, Object.keys(commands));
    const others = `There are ${Object.keys(commands).join(", ")}.`;
    throw new CommandError(`There is no command ${name}. ${meant === undefined ? others : `Did you mean ${meant}?`}`);
  }
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean" },
      ...Object.fromEntries(
        Object.entries(command.options).map(([option, { flag }]) => [
          option,
          { type: flag === true ? ("boolean" as const) : ("string" as const) },
        ]),
      ),
    },
    allowPositionals: true,
  });
  if (values["help"] === true) {
    world.print(usageOf(name, command));
    return 0;
  }
  const [file = "", ...rest] = positionals;
  if ((file === "") === command.takesFile || (rest.length > 0 && command.takes === undefined)) {
    const needed = command.takes ?? (command.takesFile ? "One file" : "No file");
    throw new CommandError(`${needed} is needed: ${usageOf(name, command)}`);
  }
  return command.run(world, file, values, rest);
};

/** Runs one command; an error that the user can fix is shown in a line. */
export const runAlerts = async (world: World, args: readonly string[]): Promise<ExitCode> => {
  try {
    return await run(world, args);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    world.print(error.message);
    return 1;
  }
};
