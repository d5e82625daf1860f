import type { Scenario } from "../scenario.ts";
import { crowd } from "./crowd.ts";
import { dedupeRace } from "./dedupe-race.ts";
import { plain } from "./plain.ts";

export const scenarios: readonly Scenario[] = [plain, dedupeRace, crowd];

export const scenarioByName = (name: string): Scenario => {
  const found = scenarios.find((scenario) => scenario.name === name);
  if (found === undefined)
    throw new Error(`no scenario ${name}; there are ${scenarios.map((scenario) => scenario.name).join(", ")}`);
  return found;
};
