import { onTestFinished } from "vitest";
import { closeWorlds, createWorld, type World, type WorldOptions } from "./world.ts";

/** A world for one test, closed when that is finished. */
export const useWorld = async (options?: WorldOptions): Promise<World> => {
  onTestFinished(closeWorlds);
  return createWorld(options);
};
