import { onTestFinished } from "vitest";
import { closeWorlds, createWorld, type World, type WorldOptions } from "./world.ts";

export const useWorld = async (options?: WorldOptions): Promise<World> => {
  onTestFinished(closeWorlds);
  return createWorld(options);
};
