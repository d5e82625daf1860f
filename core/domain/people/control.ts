import type { Plan } from "./plan.ts";

/** What is known of a workspace's limits and versions at one moment. */
export type Control = {
  seq: number;
  month: string;
  used: number;
  tat: number;
  plan: Plan;
  rulesVersion: number;
  peopleVersion: number;
};
