import type { Mutant } from "../mutant.ts";

/** Mutants of pure decisions. */
export const domainMutants: readonly Mutant[] = [
  // A step that does not wait for the impossible.
  {
    name: "early-new-round",
    takes: "the wait of a new round",
    at: ["core/domain/escalation/early.ts", "firesEarly"],
    drops: "if (roundOf(fired) !== roundOf(next)) return false;",
    caughtBy: { test: "test/core/domain/escalation/early.test.ts" },
  },
  {
    name: "acknowledged-by-whoever-was-not-asked",
    takes: "the difference between notifications that ask for an acknowledgement and others",
    at: ["core/domain/event/life.ts", "deedOf"],
    from: "!requiresAck || ",
    to: "",
    caughtBy: { test: "test/core/domain/event/life.test.ts" },
  },
  // A simulation shows what then happens.
  {
    name: "timeline-asks-once",
    takes: "the question at each step's own time who is on call",
    at: ["core/domain/planning/timeline.ts", "escalationTimeline"],
    from: "resolveTargets(people, targets, at)",
    to: "resolveTargets(people, targets, armed.at)",
    caughtBy: { test: "test/core/domain/planning/timeline.test.ts" },
  },
  {
    name: "simulated-without-silences",
    takes: "the silences from what both the matcher and a simulation plan by",
    at: ["core/domain/planning/plan-event.ts", "planEvent"],
    from: "plan.rules.length === 0 ?",
    to: "plan.rules.length >= 0 ?",
    caughtBy: { test: "test/core/flow/read/simulate.test.ts" },
  },
  // A turn in which nobody is on duty does not count.
  {
    name: "duty-turns-all-counted",
    takes: "the difference between turns on duty and all others",
    at: ["core/domain/people/on-call/turns.ts", "counting"],
    from: "meets(index) ? 1 : 0",
    to: "meets(index) ? 1 : 1",
    caughtBy: { test: "test/core/domain/people/on-call/rich.test.ts" },
  },
  // Anybody can register an address, so the service calls only those of push services.
  {
    name: "web-push-over-size",
    takes: "the room that encryption needs",
    at: ["core/domain/delivery/push/message.ts", "WEB_PUSH_MAX_BYTES"],
    from: "3993",
    to: "4096",
    caughtBy: { test: "test/core/push/web/web-push.test.ts" },
  },
  // A marker exists before its work, and is deleted after it.
  {
    name: "rule-cut-by-its-part",
    takes: "the count of a rule's packs in other parts of its plan",
    at: ["core/domain/delivery/delivery-plan.ts", "partsOf"],
    from: "{ packs: all }",
    to: "{}",
    caughtBy: { test: "test/core/flow/great-events.test.ts" },
  },
  // Each pack has one sender, and no device is called twice.
  {
    name: "answered-devices-called-again",
    takes: "the memory of which devices have their answer",
    at: ["core/domain/delivery/attempts.ts", "laterAttempts"],
    drops: "isFinal",
    caughtBy: { scenario: "plain" },
  },
  {
    name: "unknown-repeated-often",
    takes: "the bound on repeats of a push whose outcome nobody knows",
    at: ["core/domain/delivery/notification.ts", "UNKNOWNS_MAX"],
    from: "2",
    to: "20",
    caughtBy: { scenario: "fcm-mute" },
  },
  {
    name: "unknown-not-repeated",
    takes: "the repeat of a push whose outcome nobody knows",
    at: ["core/domain/delivery/notification.ts", "UNKNOWNS_MAX"],
    from: "2",
    to: "1",
    caughtBy: { scenario: "plain" },
  },
  {
    name: "retry-removed",
    takes: "the repeat of a push that FCM asked to have again",
    at: ["core/domain/delivery/attempts.ts", "outcomeOf"],
    from: 'retry: "retry"',
    to: 'retry: "invalid"',
    caughtBy: { scenario: "plain" },
  },
  {
    name: "refused-retried",
    takes: "the end of a push that FCM refused for good",
    at: ["core/domain/delivery/notification.ts", "finalOutcomes"],
    from: '", "invalid", "',
    to: '", "',
    caughtBy: { scenario: "token-death" },
  },
];
