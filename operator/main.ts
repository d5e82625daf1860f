#!/usr/bin/env node
import { UsageError } from "../tools/command-line.ts";
import { liveClients } from "./clients.ts";
import { operator } from "./program.ts";
import { readCommandLine } from "../tools/program.ts";

/*
 * Operators' commands, for what has no API endpoint. Uses AWS credentials and region from the environment: `npm run operator --
 * <command> --stage <stage> ...`.
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
  // The message is enough; a stack trace would hide it.
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
