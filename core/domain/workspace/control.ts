import { MINUTE_MS } from "../basics/units.ts";
import type { PageLimitState } from "./page-limit.ts";
import type { Edge, Retention } from "./retention.ts";
import type { UsagePlan } from "./usage-plan.ts";

export type Control = {
  seq: number;
  probes: number;
  month: string;
  used: number;
  tat: number;
  plan: UsagePlan;
  retention: Retention;
  /** Absent in a workspace of an earlier version until its next audit. */
  edge?: Edge | undefined;
  rulesVersion: number;
  peopleVersion: number;
  /** The version when probes were last scheduled. */
  probedVersion: number;
  /** Events that arrive later are spread (milliseconds). */
  spreadsFrom: number;
  loud: PageLimitState;
  /** When the last shadow ends, in milliseconds. Absent if the workspace was never in shadow. */
  shadowUntil?: number | undefined;
};

/** Frequent, because somebody may end the shadow at any time. */
export const SHADOW_CHECK_MS = 10 * MINUTE_MS;

/** `now`: in milliseconds. */
export const isInShadow = ({ shadowUntil = 0 }: { shadowUntil?: number | undefined }, now: number): boolean =>
  now < shadowUntil;
