import * as v from "valibot";

/*
 * A probe is an event that goes the whole way of a rule's events without notifying anybody: it is accepted, matched and
 * planned, and the people that it reaches get one silent push, which their devices confirm by a signed receipt.
 */

/** Probes have numbers from here on, so that lists, statistics and searches of events, which are by number, have none. */
export const FIRST_PROBE_NUMBER = 500_000_000_000;

/**
 * A probe proves that a rule reaches its people. `keyDeleted`: the API key
 * that sent the last matching event is deleted. `composed`: no event has matched the rule, so its shape follows from the
 * conditions.
 */
export const Probe = v.object({
  ruleId: v.string(),
  keyDeleted: v.optional(v.literal(true)),
  composed: v.optional(v.literal(true)),
});
export type Probe = v.InferOutput<typeof Probe>;

/** The event of a switch's round, which goes the same way to the switch's device. `round`: its begin in milliseconds. */
const SwitchProbe = v.object({ round: v.number() });

/** What an event proves that notifies nobody. */
export const EventProbe = v.union([Probe, SwitchProbe]);
export type EventProbe = v.InferOutput<typeof EventProbe>;

/** The last probe of a rule, as stored. Times in milliseconds. */
export const StoredProbe = v.object({
  ...Probe.entries,
  eventId: v.string(),
  acceptedAt: v.number(),
  matchedAt: v.optional(v.number()),
  /** Whether the rule applied, and why it reaches nobody. */
  applies: v.optional(v.boolean()),
  unreached: v.optional(v.string()),
  /** The first of the rule's recipients. */
  recipients: v.optional(v.array(v.string()), []),
  /** The escalation policy whose steps' people get a push, too. */
  policyId: v.optional(v.string()),
});
export type StoredProbe = v.InferOutput<typeof StoredProbe>;

/** The last silent push to a person, for the probes of all their rules. `fault`: why no push service accepted it. */
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
 * How a workspace's probes are scheduled. `since`: slots before this moment do not count. `at`: when to schedule again;
 * absent if no rule is probed automatically. `red`: what the owners were notified of, and is still red.
 */
export const ProbePlan = v.object({
  since: v.number(),
  at: v.optional(v.number()),
  red: v.optional(v.array(v.string()), []),
});
export type ProbePlan = v.InferOutput<typeof ProbePlan>;
