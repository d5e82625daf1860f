import type { PageLimitState } from "./page-limit.ts";
import type { Edge, Retention } from "./retention.ts";
import type { UsagePlan } from "./usage-plan.ts";

/** The limits and versions of a workspace at one moment. */
export type Control = {
  seq: number;
  month: string;
  used: number;
  tat: number;
  plan: UsagePlan;
  retention: Retention;
  /** Absent in a workspace from an earlier version until its next audit. */
  edge?: Edge | undefined;
  rulesVersion: number;
  peopleVersion: number;
  /** Since when the workspace's events are spread, in milliseconds. */
  spreadsFrom: number;
  loud: PageLimitState;
};
