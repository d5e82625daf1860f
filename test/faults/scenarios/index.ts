import type { Scenario } from "../scenario.ts";
import { acknowledge } from "./acknowledge.ts";
import { changes, deletions } from "./changes.ts";
import { crowd } from "./crowd.ts";
import { dedupeRace } from "./dedupe-race.ts";
import { tokenDeath, twoOwners } from "./devices.ts";
import { acknowledgedByStep, acknowledgedInTime, escalation } from "./escalation.ts";
import { plain } from "./plain.ts";
import { burst, fcmMute, fcmOutage, outage, poison, redrive, twoSweepers } from "./queues.ts";
import { resolveByKey, resolveMatching, resolveSending, resolveStep, resolveUnmatched } from "./resolve.ts";
import { equalIds, idempotency, quotaEdge } from "./tenants.ts";

export const scenarios: readonly Scenario[] = [
  plain,
  dedupeRace,
  idempotency,
  quotaEdge,
  crowd,
  burst,
  acknowledge,
  escalation,
  acknowledgedInTime,
  acknowledgedByStep,
  resolveUnmatched,
  resolveMatching,
  resolveSending,
  resolveStep,
  resolveByKey,
  changes,
  deletions,
  tokenDeath,
  twoOwners,
  poison,
  redrive,
  outage,
  fcmOutage,
  fcmMute,
  twoSweepers,
  equalIds,
];

export const scenarioByName = (name: string): Scenario => {
  const found = scenarios.find((scenario) => scenario.name === name);
  if (found === undefined)
    throw new Error(`no scenario ${name}; there are ${scenarios.map((scenario) => scenario.name).join(", ")}`);
  return found;
};
