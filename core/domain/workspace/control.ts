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
  /** Absent in a workspace created by an earlier version until the workspace's next audit. */
  edge?: Edge | undefined;
  rulesVersion: number;
  peopleVersion: number;
  /** Since when the workspace's events are spread, in milliseconds. */
  spreadsFrom: number;
  loud: PageLimitState;
  /** Until when the workspace is in shadow, in milliseconds; absent if it never was. */
  shadowUntil?: number | undefined;
};

/** Whether the workspace is in shadow at a time (milliseconds). */
export const isInShadow = ({ shadowUntil = 0 }: { shadowUntil?: number | undefined }, now: number): boolean =>
  now < shadowUntil;
