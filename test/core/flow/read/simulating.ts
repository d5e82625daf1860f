import { expect } from "vitest";
import * as v from "valibot";
import { HistoryInput } from "../../../../core/domain/planning/history.ts";
import { SimulationInput, type Simulation } from "../../../../core/domain/planning/simulation.ts";
import { simulateEvent, simulateHistory } from "../../../../core/flow/read/simulate.ts";
import type { World, WorldOptions } from "../../../world/world.ts";

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;

export const writes: string[] = [];
export const recordingWrites: WorldOptions = {
  beforeCall: ({ constructor: { name } }) => {
    if (!/^(?:Get|Query|BatchGet)/.test(name)) writes.push(name);
    return Promise.resolve();
  },
};

export const simulate = async (world: World, input: object): Promise<Simulation> => {
  writes.length = 0;
  const answer = await simulateEvent(world.deps, world.ws, v.parse(SimulationInput, input));
  expect(writes).toEqual([]);
  return answer;
};

export const simulatePast = (world: World, input: object) =>
  simulateHistory(world.deps, world.ws, v.parse(HistoryInput, input));
export const toTargets = (groupId: string) => [{ type: "group", groupId }];
