import { createHash } from "node:crypto";
import { expect, onTestFinished } from "vitest";
import { closeWorlds, createWorld, type World, type WorldOptions } from "./world.ts";

let count = 0;

/** Creates a world. Its workspace's id is the same in each run of a test, because it determines some times, such as a probe's. */
export const useWorld = async (options?: WorldOptions): Promise<World> => {
  count += 1;
  onTestFinished(async () => {
    count = 0;
    await closeWorlds();
  });
  const name = createHash("sha256").update(`${expect.getState().currentTestName} ${count}`).digest("hex");
  return createWorld({ ws: `ws_${name.slice(0, 12)}`, ...options });
};
