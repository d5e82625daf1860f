import {
  DeleteFunctionConcurrencyCommand,
  type LambdaClient,
  PutFunctionConcurrencyCommand,
} from "@aws-sdk/client-lambda";
import { isWriting, routes } from "../interface/routes.ts";

type Clients = { lambda: Pick<LambdaClient, "send"> };

/** What senders call first: an event that comes while the rest is stopped would be in the table that is given up. */
const INGEST = "post-event";

/** The names of the functions through which the API changes anything, in the order in which they are stopped. */
export const writingFunctions = (): string[] => {
  const names = new Set(routes.filter(isWriting).map((route) => route.function));
  return [INGEST, ...[...names].filter((name) => name !== INGEST)];
};

const fullName = (stage: string, name: string): string => `event-alerting-${stage}-${name}`;

/**
 * Stops all calls that would change something: Lambda refuses each such function, and the API answers 503, which
 * senders repeat. Reading continues, and so does the work on accepted events. Idempotent.
 */
export const stopIntake = async ({ lambda }: Clients, stage: string): Promise<string[]> => {
  const names = writingFunctions();
  for (const name of names)
    await lambda.send(
      new PutFunctionConcurrencyCommand({ FunctionName: fullName(stage, name), ReservedConcurrentExecutions: 0 }),
    );
  return names;
};

/** Ends that. `ingestConcurrency`: what the stage's settings reserve for ingest. */
export const startIntake = async ({ lambda }: Clients, stage: string, ingestConcurrency: number): Promise<string[]> => {
  // In the other order: people can change their set-up again before the first event is judged by it.
  const names = writingFunctions().toReversed();
  for (const name of names) {
    const FunctionName = fullName(stage, name);
    if (name === INGEST && ingestConcurrency > 0)
      await lambda.send(
        new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: ingestConcurrency }),
      );
    else await lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
  }
  return names;
};
