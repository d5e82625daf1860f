import { createHash } from "node:crypto";
import { expect, onTestFinished } from "vitest";
import { closeWorlds, createWorld, type World, type WorldOptions } from "./world.ts";

let count = 0;

/** Creates a world. In each run of a test, its workspace has the same id, on which some times depend, such as that of a probe. */
export const useWorld = async (options?: WorldOptions): Promise<World> => {
  count += 1;
  onTestFinished(async () => {
    count = 0;
    await closeWorlds();
  });
  const name = createHash("sha256").update(`${expect.getState().currentTestName} ${count}`).digest("hex");
  return createWorld({ ws: `ws_${name.slice(0, 12)}`, ...options });
};
