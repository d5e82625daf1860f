import { join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { skipTimeTo } from "../core/store/delivery/sweeps.ts";
import { OPERATOR } from "./aws/policies.ts";
import { readJsonFile, writeAtomically } from "./files.ts";
import type { Runtime } from "./runtime/runtime.ts";
import { region } from "./template/resolve.ts";

/** The clock stays ahead after a restart, so that no stored time is in the future. */
const StoredClock = v.object({ aheadMs: v.number() });

const clockFilePath = (dir: string): string => join(dir, "clock.json");

/** Returns how far earlier runs on the directory advanced the clock, in milliseconds. */
export const readAheadMs = (dir: string): number => readJsonFile(clockFilePath(dir), StoredClock)?.aheadMs ?? 0;

/** Creates the functions' clock, which can be advanced. Marks skipped time as swept, so that the service assumes no outage. */
export const createClock = (
  runtime: Pick<Runtime, "now" | "advanceClock">,
  { dir, name, endpoint }: { dir: string; name: string; endpoint: string },
) => {
  const credentials = { accessKeyId: OPERATOR, secretAccessKey: "local" };
  const client = new DynamoDBClient({ region, endpoint, credentials });
  const table = { name, client: DynamoDBDocumentClient.from(client) };
  return {
    /** Advances the clock, and returns how far the clock is ahead of the machine's clock, in milliseconds. */
    advance: async (ms: number): Promise<number> => {
      // The skipped time is stored first, so that no sweep finds a gap.
      await skipTimeTo({ table }, runtime.now() + ms);
      const aheadMs = runtime.advanceClock(ms);
      writeAtomically(clockFilePath(dir), JSON.stringify({ aheadMs } satisfies v.InferOutput<typeof StoredClock>));
      return aheadMs;
    },
    close: (): void => {
      client.destroy();
    },
  };
};
