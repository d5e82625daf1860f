import type { Mutants } from "../mutant.ts";

/** Mutants of pure decisions. */
export const domainMutants: Mutants = {
  // Compiling has a price.
  "compiled-beyond-the-budget": {
    takes: "the budget of what a rule set's patterns cost to compile",
    at: ["core/domain/rules/matching/program.ts", "hasPattern"],
    drops: "pool.isBeyond(regex)",
    caughtBy: { test: "test/core/domain/rules/matching/price.test.ts" },
  },
  "compiled-before-priced": {
    takes: "the price that is asked before a request's patterns are compiled",
    at: ["functions/http/body.ts", "validated"],
    from: "if (faults.length > 0)",
    to: "if (faults.length < 0)",
    caughtBy: { test: "test/interface/dear-patterns.test.ts" },
  },
  "repetitions-for-nothing": {
    takes: "the repetitions that multiply the price of what they repeat",
    at: ["core/domain/rules/matching/price.ts", "sizeOf"],
    from: "ranges: ranges * times",
    to: "ranges",
    caughtBy: { test: "test/core/domain/rules/matching/price.test.ts" },
  },
  "thrown-away-within-an-event": {
    takes: "the moment at which what holds too much is dropped: between two events",
    at: ["core/domain/rules/matching/regex.ts", "createRegexPool"],
    from: "swollen.add(regex);",
    to: "forget(regex);",
    caughtBy: { test: "test/core/domain/rules/matching/regex.test.ts" },
  },
  // A step that does not wait for the impossible.
  "early-new-round": {
    takes: "the wait of a new round",
    at: ["core/domain/escalation/early.ts", "firesEarly"],
    drops: "if (roundOf(fired) !== roundOf(next)) return false;",
    caughtBy: { test: "test/core/domain/escalation/early.test.ts" },
  },
  "acknowledged-by-whoever-was-not-asked": {
    takes: "the difference between notifications that ask for an acknowledgement and others",
    at: ["core/domain/event/lifecycle.ts", "actionOf"],
    cuts: "!requiresAck || ",
    caughtBy: { test: "test/core/domain/event/lifecycle.test.ts" },
  },
  // An engine that is missing is our fault, and no pattern's.
  "no-engine-no-match": {
    takes: "the loading of the regex engine from before what counts as a bad pattern",
    at: ["core/domain/rules/matching/regex.ts", "createRegexPool"],
    drops: "const engine = RE2JS;",
    caughtBy: { test: "test/core/domain/rules/matching/no-engine.test.ts" },
  },
  // A simulation shows what then happens.
  "timeline-asks-once": {
    takes: "the question at each step's own time who is on call",
    at: ["core/domain/planning/timeline.ts", "escalationTimeline"],
    from: "resolveTargets(people, targets, at)",
    to: "resolveTargets(people, targets, armed.at)",
    caughtBy: { test: "test/core/domain/planning/timeline.test.ts" },
  },
  "simulated-without-silences": {
    takes: "the silences from what both the matcher and a simulation plan by",
    at: ["core/domain/planning/plan-event.ts", "planEvent"],
    from: "plan.rules.length === 0 ?",
    to: "plan.rules.length >= 0 ?",
    caughtBy: { test: "test/core/flow/read/simulate-event.test.ts" },
  },
  // A fallback rule takes what no other rule does, and nothing else.
  "fallback-beside-others": {
    takes: "the difference between fallback rules and others",
    at: ["core/domain/rules/chain.ts", "applying"],
    from: "regular.length === 0 ? matched : regular",
    to: "regular.length >= 0 ? matched : regular",
    caughtBy: { test: "test/core/domain/rules/rule-set.test.ts" },
  },
  // Of a chain only the first rule that matches applies.
  "chain-all-apply": {
    takes: "the end of a chain at its first rule that matches",
    at: ["core/domain/rules/chain.ts", "firstOfEach"],
    from: "inOrder(rule, end) <= 0",
    to: "inOrder(rule, end) <= Infinity",
    caughtBy: { test: "test/core/domain/rules/chain.test.ts" },
  },
  "chain-ends-undecided": {
    takes: "the rules after one that the budget left undecided",
    at: ["core/domain/rules/chain.ts", "firstOfEach"],
    cuts: " || endless.has(rule.id)",
    caughtBy: { test: "test/core/domain/rules/chain.test.ts" },
  },
  "rule-active-at-all-hours": {
    takes: "the active hours of rules",
    at: ["core/domain/rules/active-hours.ts", "compileHours"],
    from: "within(ms).within;",
    to: "within(ms).within || true;",
    caughtBy: { test: "test/core/domain/rules/rule-set.test.ts" },
  },
  // What the budget left undecided must not count as holding because it is negated.
  "undecided-and-negated-holds": {
    takes: "the difference between undecided and false",
    at: ["core/domain/rules/matching/program.ts", "ruleHolds"],
    cuts: "verdict !== undefined && ",
    caughtBy: { test: "test/core/domain/rules/matching/expensive-rules.test.ts" },
  },
  // A turn in which nobody is on duty does not count.
  "duty-turns-all-counted": {
    takes: "the difference between turns on duty and all others",
    at: ["core/domain/on-call/turns.ts", "counting"],
    from: "meets(index) ? 1 : 0",
    to: "meets(index) ? 1 : 1",
    caughtBy: { test: "test/core/domain/on-call/rich.test.ts" },
  },
  // Anybody can register an address, so the service calls only those of push services.
  "web-push-over-size": {
    takes: "the room that encryption needs",
    at: ["core/domain/delivery/push/message.ts", "WEB_PUSH_MAX_BYTES"],
    from: "3993",
    to: "4096",
    caughtBy: { test: "test/core/push/web/web-push.test.ts" },
  },
  // A marker exists before its work, and is deleted after it.
  "rule-cut-by-its-part": {
    takes: "the count of a rule's packs in other parts of its plan",
    at: ["core/domain/delivery/delivery-plan.ts", "partsOf"],
    from: "{ packs: all }",
    to: "{}",
    caughtBy: { test: "test/core/flow/great-events.test.ts" },
  },
  // Each pack has one sender, and no device is called twice.
  "answered-devices-called-again": {
    takes: "the memory of which devices have their answer",
    at: ["core/domain/delivery/attempts.ts", "laterAttempts"],
    drops: "isFinal",
    caughtBy: { scenario: "plain" },
  },
  "unknown-repeated-often": {
    takes: "the bound on repeats of a push whose outcome nobody knows",
    at: ["core/domain/delivery/notification.ts", "UNKNOWNS_MAX"],
    from: "2",
    to: "20",
    caughtBy: { scenario: "fcm-mute" },
  },
  "unknown-not-repeated": {
    takes: "the repeat of a push whose outcome nobody knows",
    at: ["core/domain/delivery/notification.ts", "UNKNOWNS_MAX"],
    from: "2",
    to: "1",
    caughtBy: { scenario: "plain" },
  },
  "retry-removed": {
    takes: "the repeat of a push that FCM asked to have again",
    at: ["core/domain/delivery/attempts.ts", "outcomeOf"],
    from: 'retry: "retry"',
    to: 'retry: "invalid"',
    caughtBy: { scenario: "plain" },
  },
  "refused-retried": {
    takes: "the end of a push that FCM refused for good",
    at: ["core/domain/delivery/notification.ts", "finalOutcomes"],
    from: '", "invalid", "',
    to: '", "',
    caughtBy: { scenario: "token-death" },
  },
};
