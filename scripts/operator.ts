import { liveClients } from "./operator/clients.ts";
import { readCommandLine } from "./operator/command-line.ts";

/*
 * Operations for which the interface has no endpoint. Uses the AWS credentials and the region of the environment, as
 * the AWS command line does: `npm run operator -- <command> --stage <stage> ...`. Prints JSON.
 */

try {
  const asked = readCommandLine(process.argv.slice(2), process.env["OPERATOR_PASSWORD"]);
  console.log(
    asked.kind === "help" ? asked.text : JSON.stringify(await asked.command.run(liveClients(), asked.options), null, 2),
  );
} catch (error) {
  // The message of an AWS error says what is wrong; a stack trace would only hide it.
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
