import { UsageError } from "../tools/command-line.ts";
import { type ExitCode, type Program, readCommandLine } from "../tools/program.ts";
import type { Command, World } from "./command.ts";
import { exportCommand } from "./export.ts";
import { importCommand } from "./import/command.ts";
import { renderJsonSchema } from "./json-schema.ts";
import { applyCommand, planCommand } from "./sync.ts";
import { replayCommand } from "./replay/command.ts";
import { testCommand } from "./test.ts";

const schemaCommand: Command = {
  does: "writes the JSON Schema with which editors complete and check the setup file; - writes to standard output",
  takes: "FILE",
  options: {},
  run: ({ print, writeText }, file) => {
    const text = renderJsonSchema();
    if (file === "-") print(text.trimEnd());
    else writeText(file, text);
    return { code: 0, report: { schema: text } };
  },
};

export const alerts: Program<Command> = {
  name: "alerts",
  does: "A workspace's setup as a file: roles, groups, schedules, policies, floors, pay, rules, silences, keys, webhooks and connections. - is standard input or output.",
  commands: {
    test: testCommand,
    plan: planCommand,
    apply: applyCommand,
    export: exportCommand,
    import: importCommand,
    replay: replayCommand,
    schema: schemaCommand,
  },
  specOf: (command) => command,
  ends: [
    "0  success",
    "1  failure, and standard error says why: a contract does not hold, a file has faults, or the service refuses",
    "2  plan: there are changes; all other commands: the command line is invalid (plan exits with 1 for this)",
  ],
};

const runCommand = async (world: World, args: readonly string[]): Promise<ExitCode> => {
  const asked = readCommandLine(alerts, args);
  if (asked.kind === "text") {
    world.print(asked.text);
    return 0;
  }
  const { command, values, operands } = asked;
  const [file = "", ...rest] = operands;
  if (values["json"] !== true) return (await command.run(world, file, values, rest)).code;
  const { code, report } = await command.run({ ...world, print: () => undefined }, file, values, rest);
  world.print(JSON.stringify(report, undefined, 2));
  return code;
};

/** Runs a command line. Shows no stack trace for errors that the user can fix. */
export const runAlerts = async (world: World, args: readonly string[]): Promise<ExitCode> => {
  try {
    return await runCommand(world, args);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    world.tell(error.message);
    return error instanceof UsageError && args[0] !== "plan" ? 2 : 1;
  }
};
