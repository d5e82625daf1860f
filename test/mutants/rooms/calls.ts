import type { Mutants } from "../mutant.ts";

const telephones = { test: "test/interface/calls.test.ts" } as const;

/** Mutants of calls, and of the keys that are pressed in them. */
export const callMutants: Mutants = {
  "call-named-by-its-try": {
    takes: "the one name of all tries of a ring, by which Connect makes one call of them",
    at: ["core/domain/delivery/attempts.ts", "stepName"],
    from: "${step.length}",
    to: "${step.length}.${pack.recipients[position]?.attempts?.[key]?.tries}",
    caughtBy: { scenario: "plain-voice" },
  },
  "every-ring-one-call": {
    takes: "the name of a later ring, without which Connect takes it for the call that is under way",
    at: ["core/domain/delivery/attempts.ts", "stepName"],
    from: "${step.length}",
    to: "0",
    caughtBy: { test: "test/core/domain/delivery/ring-name.test.ts" },
  },
  "call-without-token": {
    takes: "the token by which Connect knows a repeated request",
    at: ["core/push/voice/voice.ts", "createVoice"],
    drops: "ClientToken: message.once",
    caughtBy: { test: "test/core/push/voice/voice.test.ts" },
  },
  "key-of-another-number": {
    takes: "the number that was called from what a key is taken for",
    at: ["core/flow/notify/take-key-press.ts", "calledBy"],
    cuts: "device.phone === phone && ",
    caughtBy: telephones,
  },
  "key-fires-again": {
    takes: "the look whether the rule has gone on, by which a key that is pressed again fires nothing",
    at: ["core/flow/respond/respond.ts", "escalateFrom"],
    drops: 'return "gone on";',
    caughtBy: { scenario: "escalated-by-key" },
  },
  "called-for-what-nobody-answers": {
    takes: "the calls from what calls for no acknowledgement",
    at: ["core/domain/delivery/attempts.ts", "attemptsOfNext"],
    from: "firstAttempts(pack.requiresAck && quiet === undefined ? own : withoutCalls(own))",
    to: "firstAttempts(own)",
    caughtBy: telephones,
  },
  "one-way-behind-the-other": {
    takes: "the calls side by side, by which a service that does not answer holds up no push",
    at: ["core/flow/notify/send-notification.ts", "sendAll"],
    from: "Promise.all(calls.map((call) => push(deps, held, message, budget, call)))",
    to: "calls.reduce((before, call) => before.then(() => push(deps, held, message, budget, call)), Promise.resolve())",
    caughtBy: { scenario: "contacts-mute" },
  },
};
