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
  /** Up to which number events are past retention. In workspaces of earlier versions, absent until the first audit. */
  edge?: Edge | undefined;
  rulesVersion: number;
  peopleVersion: number;
  /** The version of the rules when probes were last scheduled. */
  probedVersion: number;
  /** The time from which new events are spread over several partitions, in milliseconds. */
  spreadsFrom: number;
  loud: PageLimitState;
  /** When the last shadow ends, in milliseconds. Absent if the workspace has never had a shadow. */
  shadowUntil?: number | undefined;
};

/** The time between two checks whether a shadow has ended, because somebody may end a shadow at any time. */
export const SHADOW_CHECK_MS = 10 * MINUTE_MS;

export const isInShadow = ({ shadowUntil = 0 }: { shadowUntil?: number | undefined }, now: number): boolean =>
  now < shadowUntil;
