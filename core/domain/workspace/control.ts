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
  /** The retention edge; absent in a workspace of an earlier version until its next audit. */
  edge?: Edge | undefined;
  rulesVersion: number;
  peopleVersion: number;
  /** The version of the rules when probes were last scheduled. */
  probedVersion: number;
  /** The time from which the workspace's events are spread, in milliseconds. */
  spreadsFrom: number;
  loud: PageLimitState;
  /** The end of the last shadow, in milliseconds; absent if the workspace was never in shadow. */
  shadowUntil?: number | undefined;
};

/** How often a workspace in shadow is checked, because somebody may end the shadow at any time. */
export const SHADOW_CHECK_MS = 10 * MINUTE_MS;

/** Returns whether the workspace is in shadow at `now` (milliseconds). */
export const isInShadow = ({ shadowUntil = 0 }: { shadowUntil?: number | undefined }, now: number): boolean =>
  now < shadowUntil;
