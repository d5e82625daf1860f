import type { Mutant } from "./mutant.ts";
import { callMutants } from "./rooms/calls.ts";
import { domainMutants } from "./rooms/domain.ts";
import { flowMutants } from "./rooms/flow.ts";
import { pushMutants } from "./rooms/push.ts";
import { retentionMutants } from "./rooms/retention.ts";
import { stepMutants } from "./rooms/notification-steps.ts";
import { stackMutants } from "./rooms/stack.ts";
import { storeMutants } from "./rooms/store.ts";
import { stormMutants } from "./rooms/storms.ts";
import { sweeperMutants } from "./rooms/sweeper.ts";
import { leaseMutants } from "./rooms/leases.ts";
import { toolMutants } from "./rooms/tools.ts";
import { watchMutants } from "./rooms/watches.ts";
import { webhookMutants } from "./rooms/webhooks.ts";

/** All mutants, one for each mechanism that keeps the promises. */
export const mutants: readonly Mutant[] = [
  domainMutants,
  storeMutants,
  pushMutants,
  flowMutants,
  stormMutants,
  sweeperMutants,
  leaseMutants,
  stepMutants,
  retentionMutants,
  callMutants,
  toolMutants,
  watchMutants,
  webhookMutants,
  stackMutants,
].flatMap((room) => Object.entries(room).map(([name, removal]) => ({ name, ...removal })));

export const mutantByName = (name: string): Mutant => {
  const found = mutants.find((mutant) => mutant.name === name);
  if (found === undefined)
    throw new Error(`no mutant ${name}; there are ${mutants.map((mutant) => mutant.name).join(", ")}`);
  return found;
};
