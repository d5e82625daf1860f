import type { Mutants } from "../mutant.ts";

const chains = { test: "test/core/flow/acknowledgement-chains.test.ts" } as const;
const races = { test: "test/core/flow/acknowledgement-end-races.test.ts" } as const;
const ends = { test: "test/core/flow/acknowledgement-ends.test.ts" } as const;
const inHand = { test: "test/core/flow/respond/respond.test.ts" } as const;

/** Mutants of acknowledgements that end. */
export const leaseMutants: Mutants = {
  "term-without-marker": {
    takes: "the marker by which a term is found when it ends",
    at: ["core/flow/respond/lease.ts", "acknowledgeFor"],
    drops: "await putMarker(deps, askMarker(ws, eventId, lease));",
    caughtBy: ends,
  },
  "term-made-shorter": {
    takes: "the longer end, when an acknowledgement that holds for less comes after it",
    at: ["core/store/events/leases.ts", "extendLease"],
    from: "OR term.#until < :until)",
    to: "OR term.#until <> :until)",
    caughtBy: ends,
  },
  "chain-without-end": {
    takes: "the day after which acknowledgements of a chain hold for good",
    at: ["core/store/events/leases.ts", "extendLease"],
    from: "OR #chain >= :began)",
    to: "OR #chain <> :began)",
    caughtBy: chains,
  },
  "steps-after-the-chain": {
    takes: "the day after which no step of a chain is planned",
    at: ["core/flow/escalate/escalate.ts", "fire"],
    from: "following.dueAt > (escalation.ends ?? Infinity)",
    to: "following.dueAt > Infinity",
    caughtBy: chains,
  },
  "forgotten-end-wakes": {
    takes: "the silence about an end that an outage has delayed for days",
    at: ["core/flow/escalate/end-lease.ts", "end"],
    cuts: "isForgotten(chainEnd(life.chain ?? lease.at), now) || ",
    caughtBy: chains,
  },
  "end-without-list": {
    takes: "the row by which an event that is open again is found",
    at: ["core/flow/escalate/end-lease.ts", "end"],
    drops: "await tryOpenEvent(deps, ws, { ...event, ...row, told });",
    caughtBy: ends,
  },
  "end-of-an-extended-term": {
    takes: "the condition that a term is still the one that ends",
    at: ["core/store/events/leases.ts", "reopen"],
    from: "${NOT_OVER} AND term.#until = :until",
    to: "${NOT_OVER} AND :until = :until AND attribute_not_exists(#until)",
    caughtBy: races,
  },
  "resumed-after-acknowledgement": {
    takes: "the condition that no other acknowledgement has ended an escalation since",
    at: ["core/store/events/escalations.ts", "resumeEscalation"],
    from: "#state = :acknowledged AND #until <= :until",
    to: "#state = :acknowledged AND :until = :until",
    caughtBy: races,
  },
  "half-done-end": {
    takes: "the rest of an end whose first try has died",
    at: ["core/flow/escalate/end-lease.ts", "workOnLease"],
    from: "reopened?.until === until",
    to: "reopened?.until === undefined",
    caughtBy: races,
  },
  "repeat-outlasts-a-snooze": {
    takes: "the condition by which a repeated acknowledgement for good leaves an escalation its end",
    at: ["core/store/events/escalations.ts", "endEscalation"],
    from: '" AND attribute_not_exists(#until)"',
    to: '""',
    caughtBy: inHand,
  },
  "snooze-outlasts-all": {
    takes: "the comparison by which an acknowledgement for good that came after a snooze ends the escalation",
    at: ["core/flow/respond/report-notification.ts", "endForGood"],
    from: "lease.at < storedAt",
    to: "lease.at < 0",
    caughtBy: inHand,
  },
  "void-acknowledgement": {
    takes: "the acknowledgement of a notification that was acknowledged before a term which has ended",
    at: ["core/flow/respond/report-notification.ts", "countAgain"],
    drops: "await setAcknowledged(deps, ws, eventId, { at: deps.now(), ...by });",
    caughtBy: inHand,
  },
  "press-at-the-end": {
    takes: "the look whether a term has ended while a press that came again was stored",
    at: ["core/flow/respond/report-notification.ts", "endForRule"],
    from: "isAgain && (await countAgain(deps, ws, pack.eventId, by, storedAt))",
    to: "false",
    caughtBy: inHand,
  },
  "people-of-then": {
    takes: "the new decision whom a step tells that an acknowledgement for a time has forestalled",
    at: ["core/flow/escalate/escalate.ts", "fire"],
    from: "marker.since - DECISION_LATE_MS",
    to: "0",
    caughtBy: races,
  },
  "end-that-nobody-hears-of": {
    takes: "the look whether an escalation goes on before whoever held the acknowledgement is not told of its end",
    at: ["core/flow/escalate/end-lease.ts", "goOn"],
    from: "resumed !== undefined && (going || !acknowledged)",
    to: "resumed !== undefined",
    caughtBy: ends,
  },
  "step-told-and-kept": {
    takes: "the move to the step behind one whose people somebody has told",
    at: ["core/flow/respond/respond.ts", "notifyStep"],
    from: "if (next !== undefined)",
    to: "if (next === undefined)",
    caughtBy: inHand,
  },
  "added-missing-in-the-inbox": {
    takes: "the note on an open event's row that more people were told",
    at: ["core/flow/respond/respond.ts", "add"],
    drops: "await setMoreNotified(deps, ws, seq);",
    caughtBy: inHand,
  },
  "round-not-added": {
    takes: "the round that a policy begins when it had run its course",
    at: ["core/domain/escalation/escalation-policy.ts", "resumption"],
    from: "[added, added + 1]",
    to: "[added, added]",
    caughtBy: ends,
  },
  "asked-twice": {
    takes: "the name by which people are added once",
    at: ["core/flow/respond/add-people.ts", "addPeople"],
    drops: "if (before !== undefined) return markerAt(before.cursor, before.at);",
    caughtBy: { scenario: "lease-of-an-acknowledgement" },
  },
  "note-meets-itself": {
    takes: "the look whether a note's index is taken by the note itself, whose write the SDK has repeated",
    at: ["core/store/events/notes.ts", "putNote"],
    from: 'kind === "done" || item?.id === note.id',
    to: 'kind === "done"',
    caughtBy: { test: "test/core/flow/respond/write-note.test.ts" },
  },
  "nothing-in-hand": {
    takes: "the marker by which an event is found at the end of the shift of whoever acknowledged it",
    at: ["core/flow/respond/acknowledged.ts", "takeInHand"],
    from: "if (groupIds.length === 0) return;",
    to: "if (groupIds.length >= 0) return;",
    caughtBy: { test: "test/core/flow/handoff.test.ts" },
  },
  "handed-over-twice": {
    takes: "the name by which one end of a shift hands an event over once",
    at: ["core/flow/escalate/handoff.ts", "handOff"],
    from: 'const once = `hand over ${due} ${groupIds.join(" ")}`;',
    to: "const once = `hand over ${now}`;",
    caughtBy: { scenario: "hand-over" },
  },
  "handed-over-to-nobody": {
    takes: "the wait for the next one while nobody is on call",
    at: ["core/flow/escalate/handoff.ts", "handOff"],
    from: "if (following.length === 0) {",
    to: "if (following.length < 0) {",
    caughtBy: { test: "test/core/flow/handoff.test.ts" },
  },
  "counts-only-what-was-armed": {
    takes: "the count of nobody from which an escalation goes on that was acknowledged before it was armed",
    at: ["core/store/events/escalations.ts", "fireStep"],
    from: "told = if_not_exists(told, :nobody) + :told",
    to: "told = told + :told, nobody = :nobody",
    caughtBy: races,
  },
  "another-round-for-the-first": {
    takes: "the policy's own rounds, where an escalation goes on that was acknowledged before it was armed",
    at: ["core/domain/escalation/escalation-policy.ts", "resumption"],
    from: "of [added, added + 1]",
    to: "of [added + 1]",
    caughtBy: races,
  },
};
