import {
  DeleteFunctionConcurrencyCommand,
  type LambdaClient,
  PutFunctionConcurrencyCommand,
} from "@aws-sdk/client-lambda";
import { isWriting, routes } from "../interface/routes.ts";

type Clients = { lambda: Pick<LambdaClient, "send"> };

/** The first function to stop: it accepts events, and a restore loses events that are stored after the backup. */
const INGEST = "post-event";

/** Returns the names of all functions that write for callers, in the order in which they are stopped. */
export const listWritingFunctions = (): string[] => {
  const names = new Set(routes.filter(isWriting).map((route) => route.function));
  return [INGEST, ...[...names].filter((name) => name !== INGEST)];
};

const toFullFunctionName = (stage: string, name: string): string => `event-alerting-${stage}-${name}`;

/**
 * Stops all API functions that write, and returns their names. The API then answers 503, so that senders retry. Reads and the
 * processing of accepted events continue. Idempotent.
 */
export const stopIntake = async ({ lambda }: Clients, stage: string): Promise<string[]> => {
  const names = listWritingFunctions();
  for (const name of names)
    await lambda.send(
      new PutFunctionConcurrencyCommand({
        FunctionName: toFullFunctionName(stage, name),
        ReservedConcurrentExecutions: 0,
      }),
    );
  return names;
};

/** Starts the functions that `stopIntake` stopped, and returns their names. `ingestConcurrency`: reservation of ingest, or 0. */
export const startIntake = async ({ lambda }: Clients, stage: string, ingestConcurrency: number): Promise<string[]> => {
  // The functions start in reverse order, so that people can change the configuration before the first event arrives.
  const names = listWritingFunctions().toReversed();
  for (const name of names) {
    const FunctionName = toFullFunctionName(stage, name);
    if (name === INGEST && ingestConcurrency > 0)
      await lambda.send(
        new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: ingestConcurrency }),
      );
    else await lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
  }
  return names;
};
