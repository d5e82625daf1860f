import type { Mutant } from "./mutant.ts";
import { domainMutants } from "./rooms/domain.ts";
import { flowMutants } from "./rooms/flow.ts";
import { pushMutants } from "./rooms/push.ts";
import { storeMutants } from "./rooms/store.ts";
import { toolMutants } from "./rooms/tools.ts";

/** All mutants, one for each mechanism that keeps the promises. */
export const mutants: readonly Mutant[] = [
  ...domainMutants,
  ...storeMutants,
  ...pushMutants,
  ...flowMutants,
  ...toolMutants,
];

export const mutantByName = (name: string): Mutant => {
  const found = mutants.find((mutant) => mutant.name === name);
  if (found === undefined)
    throw new Error(`no mutant ${name}; there are ${mutants.map((mutant) => mutant.name).join(", ")}`);
  return found;
};
