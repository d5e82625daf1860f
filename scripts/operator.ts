import { liveClients } from "./operator/clients.ts";
import { readCommandLine } from "./operator/command-line.ts";

/*
 * What the interface has no endpoint for. Uses the AWS credentials and the region of the environment, as the AWS command
 * line does: `npm run operator -- <command> --stage <stage> ...`. Prints JSON.
 */

try {
  const asked = readCommandLine(process.argv.slice(2), process.env["OPERATOR_PASSWORD"]);
  console.log(
    asked.kind === "help" ? asked.text : JSON.stringify(await asked.command.run(liveClients(), asked.options), null, 2),
  );
} catch (error) {
  // AWS's own errors say in their message what is wrong; a stack trace would only hide it.
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
