#!/usr/bin/env node
import { UsageError } from "../tools/command-line.ts";
import { liveClients } from "./clients.ts";
import { operator } from "./program.ts";
import { readCommandLine } from "../tools/program.ts";

/**
 * The operators' commands, for actions without an API endpoint. Run as `npm run operator -- <command> --stage <stage> ...`, with
 * AWS credentials and region from the environment.
 */

try {
  const asked = readCommandLine(operator, process.argv.slice(2));
  if (asked.kind === "text") console.log(asked.text);
  else {
    const texts = Object.entries(asked.values).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    );
    const options = { ...Object.fromEntries(texts), password: process.env["OPERATOR_PASSWORD"] };
    console.log(JSON.stringify(await asked.command.run(liveClients(), options), null, 2));
  }
} catch (error) {
  // Prints only the message, because a stack trace would distract from it.
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
