import * as v from "valibot";

/*
 * A probe takes the same path as a rule's events without notifying anybody. A probe is accepted, matched and planned. The
 * people whom the probe reaches get one silent push, which their devices confirm by a signed receipt.
 */

/** The first number of probes. Lists, statistics and searches of events read smaller numbers, so they contain no probes. */
export const FIRST_PROBE_NUMBER = 500_000_000_000;

/**
 * A probe proves that a rule reaches its people. `keyDeleted`: the API key that sent the last matching event is deleted.
 * `composed`: the probe was made from the conditions, because no event has matched the rule yet.
 */
export const Probe = v.object({
  ruleId: v.string(),
  keyDeleted: v.optional(v.literal(true)),
  composed: v.optional(v.literal(true)),
});
export type Probe = v.InferOutput<typeof Probe>;

/** A round of the switch takes the same path to one device. `round`: the round's beginning, in milliseconds. */
const SwitchProbe = v.object({ round: v.number() });

export const EventProbe = v.union([Probe, SwitchProbe]);
export type EventProbe = v.InferOutput<typeof EventProbe>;

/** The last probe of a rule. Times in milliseconds. */
export const StoredProbe = v.object({
  ...Probe.entries,
  eventId: v.string(),
  acceptedAt: v.number(),
  matchedAt: v.optional(v.number()),
  /** `unreached`: why the rule reaches nobody. */
  applies: v.optional(v.boolean()),
  unreached: v.optional(v.string()),
  recipients: v.optional(v.array(v.string()), []),
  /** People of the policy's steps get a push, too. */
  policyId: v.optional(v.string()),
});
export type StoredProbe = v.InferOutput<typeof StoredProbe>;

/** A person gets one push for the probes of all their rules. `fault`: why no push service accepted the push. */
export const ProbedPerson = v.object({
  userId: v.string(),
  id: v.string(),
  askedAt: v.number(),
  sentAt: v.optional(v.number()),
  fault: v.optional(v.string()),
  confirmedAt: v.optional(v.number()),
});
export type ProbedPerson = v.InferOutput<typeof ProbedPerson>;

/**
 * `since`: slots before this moment do not count. `at`: when to schedule again; absent if no rule is probed automatically.
 * `red`: the red links of which the owners were notified.
 */
export const ProbePlan = v.object({
  since: v.number(),
  at: v.optional(v.number()),
  red: v.optional(v.array(v.string()), []),
});
export type ProbePlan = v.InferOutput<typeof ProbePlan>;
