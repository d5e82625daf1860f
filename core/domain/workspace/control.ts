import { MINUTE_MS } from "../basics/units.ts";
import type { PageLimitState } from "./page-limit.ts";
import type { Edge, Retention } from "./retention.ts";
import type { UsagePlan } from "./usage-plan.ts";

/** The limits and versions of a workspace at one moment. */
export type Control = {
  seq: number;
  /** The number of the last probe. */
  probes: number;
  month: string;
  used: number;
  tat: number;
  plan: UsagePlan;
  retention: Retention;
  /** Absent in a workspace created by an earlier version until the workspace's next audit. */
  edge?: Edge | undefined;
  rulesVersion: number;
  peopleVersion: number;
  /** The version of the rules by which probes were last scheduled. */
  probedVersion: number;
  /** Since when the workspace's events are spread, in milliseconds. */
  spreadsFrom: number;
  loud: PageLimitState;
  /** Until when the workspace is in shadow, in milliseconds; absent if it never was. */
  shadowUntil?: number | undefined;
};

/** How often a workspace in shadow is checked, because its shadow may be ended at any time. */
export const SHADOW_CHECK_MS = 10 * MINUTE_MS;

/** Whether a shadow lasts at a time (milliseconds). */
export const isInShadow = ({ shadowUntil = 0 }: { shadowUntil?: number | undefined }, now: number): boolean =>
  now < shadowUntil;
