import type { StepOfPolicy } from "../catalogue.ts";

/** A step of an escalation policy, after the policy's name. */
export const formatStep = ({ step, steps, round }: StepOfPolicy): string =>
  `(Stufe ${step} von ${steps}${round > 1 ? `, Wiederholung ${round - 1}` : ""})`;
