import type { UsagePlan } from "./usage-plan.ts";

/** What is known of a workspace's limits and versions at one moment. */
export type Control = {
  seq: number;
  month: string;
  used: number;
  tat: number;
  plan: UsagePlan;
  rulesVersion: number;
  peopleVersion: number;
};
