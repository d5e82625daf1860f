import type { StepOfPolicy } from "../catalogue.ts";

/** A step of an escalation policy, after the policy's name. */
export const formatStep = ({ step, steps, round }: StepOfPolicy): string =>
  `(step ${step} of ${steps}${round > 1 ? `, repeat ${round - 1}` : ""})`;
