import type { StepOfPolicy } from "../catalogue.ts";

/** Describes a step of an escalation policy. The policy's name comes before the text. */
export const formatStep = ({ step, steps, round }: StepOfPolicy): string =>
  `(Stufe ${step} von ${steps}${round > 1 ? `, Wiederholung ${round - 1}` : ""})`;
