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
};
