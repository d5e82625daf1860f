import type { LoudState } from "./loud.ts";
import type { UsagePlan } from "./usage-plan.ts";

/** The limits and versions of a workspace at one moment. */
export type Control = {
  seq: number;
  month: string;
  used: number;
  tat: number;
  plan: UsagePlan;
  rulesVersion: number;
  peopleVersion: number;
  /** From when on its events are spread, in milliseconds. */
  spreadsFrom: number;
  loud: LoudState;
};
