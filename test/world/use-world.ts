import { createHash } from "node:crypto";
import { expect, onTestFinished } from "vitest";
import { closeWorlds, createWorld, type World, type WorldOptions } from "./world.ts";

let count = 0;

/** Creates a world whose workspace has the same id in each run of a test, because the id decides times, such as of a probe. */
export const useWorld = async (options?: WorldOptions): Promise<World> => {
  count += 1;
  onTestFinished(async () => {
    count = 0;
    await closeWorlds();
  });
  const name = createHash("sha256").update(`${expect.getState().currentTestName} ${count}`).digest("hex");
  return createWorld({ ws: `ws_${name.slice(0, 12)}`, ...options });
};
