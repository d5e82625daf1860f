import { parseArgs } from "node:util";
import { liveClients } from "./operator/clients.ts";
import { type Command, commands, type Options } from "./operator/commands.ts";
import { OperatorError } from "./operator/stage.ts";

/*
 * What the interface has no endpoint for. Uses the AWS credentials and the region of the environment, as the AWS command
 * line does: `npm run operator -- <command> --stage <stage> ...`. Prints JSON.
 */

const optionsOf = (command: Command): Record<string, string> => ({
  stage: "the stage to work on",
  ...command.needs,
  ...command.takes,
});

const help = (): string =>
  Object.entries(commands)
    .map(([name, command]) =>
      [
        `npm run operator -- ${name}`,
        `  ${command.does}`,
        ...Object.entries(optionsOf(command)).map(([option, meaning]) => `    --${option.padEnd(18)} ${meaning}`),
      ].join("\n"),
    )
    .join("\n\n");

const readOptions = (command: Command, args: string[]): Options => {
  const names = Object.keys(optionsOf(command));
  try {
    const { values } = parseArgs({
      args,
      options: Object.fromEntries(names.map((name) => [name, { type: "string" as const }])),
      allowPositionals: false,
    });
    const texts = Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? value : undefined]);
    return { ...Object.fromEntries(texts), password: process.env["OPERATOR_PASSWORD"] };
  } catch (error) {
    throw new OperatorError(error instanceof Error ? error.message : String(error));
  }
};

const main = async ([name, ...args]: string[]): Promise<void> => {
  const command = name === undefined ? undefined : commands[name];
  if (command === undefined) {
    console.log(help());
    process.exitCode = name === undefined || name === "help" ? 0 : 1;
    return;
  }
  console.log(JSON.stringify(await command.run(liveClients(), readOptions(command, args)), null, 2));
};

try {
  await main(process.argv.slice(2));
} catch (error) {
  // AWS's own errors say in their message what is wrong; a stack trace would only hide it.
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
