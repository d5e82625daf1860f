import * as v from "valibot";

/* A probe is planned like the rule's events, but notifies nobody: people get one silent push, which their devices confirm. */

/** The first sequence number of probes. Lists, statistics and searches read only smaller numbers, so they contain no probes. */
export const FIRST_PROBE_NUMBER = 500_000_000_000;

/** `keyDeleted`: the copied event's API key is deleted. `composed`: made from the rule's conditions, as no event matched yet. */
export const Probe = v.object({
  ruleId: v.string(),
  keyDeleted: v.optional(v.literal(true)),
  composed: v.optional(v.literal(true)),
});
export type Probe = v.InferOutput<typeof Probe>;

/** A round of the dead man's switch, which probes the path to one device. `round`: when the round began (ms). */
const SwitchProbe = v.object({ round: v.number() });

export const EventProbe = v.union([Probe, SwitchProbe]);
export type EventProbe = v.InferOutput<typeof EventProbe>;

/** The last probe of a rule. Times are in milliseconds. */
export const StoredProbe = v.object({
  ...Probe.entries,
  eventId: v.string(),
  acceptedAt: v.number(),
  matchedAt: v.optional(v.number()),
  /** Whether the rule matched the probe. `unreached`: why the rule reaches nobody. */
  applies: v.optional(v.boolean()),
  unreached: v.optional(v.string()),
  recipients: v.optional(v.array(v.string()), []),
  /** The escalation policy, if the people of its steps also get a push. */
  policyId: v.optional(v.string()),
});
export type StoredProbe = v.InferOutput<typeof StoredProbe>;

/** One push to a person for the probes of all rules. `fault`: why no push service accepted the push. */
export const ProbedPerson = v.object({
  userId: v.string(),
  id: v.string(),
  askedAt: v.number(),
  sentAt: v.optional(v.number()),
  fault: v.optional(v.string()),
  confirmedAt: v.optional(v.number()),
});
export type ProbedPerson = v.InferOutput<typeof ProbedPerson>;

/** `since`: when regular probes began. `at`: when to schedule the next probes. `red`: the failed links that were reported. */
export const ProbePlan = v.object({
  since: v.number(),
  at: v.optional(v.number()),
  red: v.optional(v.array(v.string()), []),
});
export type ProbePlan = v.InferOutput<typeof ProbePlan>;
