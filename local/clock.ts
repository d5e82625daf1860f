import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { skipTimeTo } from "../core/store/delivery/sweeps.ts";
import { OPERATOR } from "./aws/policies.ts";
import type { Runtime } from "./runtime/runtime.ts";
import { region } from "./template/resolve.ts";

/** Skipped time counts as time in which the sweeper ran, because the service would otherwise assume an outage. */
export const createClock = (
  runtime: Pick<Runtime, "now" | "advanceClock">,
  { name, endpoint }: { name: string; endpoint: string },
) => {
  const credentials = { accessKeyId: OPERATOR, secretAccessKey: "local" };
  const client = new DynamoDBClient({ region, endpoint, credentials });
  const table = { name, client: DynamoDBDocumentClient.from(client) };
  return {
    /** Returns how far the clock is ahead of the machine's clock, in milliseconds. */
    advance: async (ms: number): Promise<number> => {
      // The skipped time is stored first, so that no sweep finds a gap.
      await skipTimeTo({ table }, runtime.now() + ms);
      return runtime.advanceClock(ms);
    },
    close: (): void => {
      client.destroy();
    },
  };
};
