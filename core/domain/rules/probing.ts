import * as v from "valibot";
import { wholeNumber } from "../basics/number.ts";

const PROBE_HOURS_MIN = 24;
export const PROBE_HOURS_MAX = 168;

/** How often a rule is probed automatically; null: never. */
export const RuleProbe = v.nullable(
  v.strictObject(
    { everyHours: wholeNumber("everyHours", PROBE_HOURS_MIN, PROBE_HOURS_MAX) },
    "probe must be null or an object: {everyHours}.",
  ),
);
export type RuleProbe = v.InferOutput<typeof RuleProbe>;

type Probed = { probe?: RuleProbe | undefined; requiresAck: boolean };

/** Returns how often a rule is probed. Unless set, a rule that requires an acknowledgement is probed weekly. */
export const probeOfRule = ({ probe, requiresAck }: Probed): RuleProbe =>
  probe === undefined ? (requiresAck ? { everyHours: PROBE_HOURS_MAX } : null) : probe;

/** Returns a rule without a `probe` that equals the default, so that it follows `requiresAck`. */
export const omitDefaultProbe = <Rule extends Probed>(rule: Rule): Rule => {
  const kept = { ...rule };
  if (probeOfRule({ requiresAck: rule.requiresAck })?.everyHours === rule.probe?.everyHours) delete kept.probe;
  return kept;
};
