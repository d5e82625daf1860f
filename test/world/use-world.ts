import { onTestFinished } from "vitest";
import { closeWorlds, createWorld, type World, type WorldOptions } from "./world.ts";

/** Creates a world for one test, which is closed when the test ends. */
export const useWorld = async (options?: WorldOptions): Promise<World> => {
  onTestFinished(closeWorlds);
  return createWorld(options);
};
