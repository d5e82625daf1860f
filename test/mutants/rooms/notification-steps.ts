import type { Mutants } from "../mutant.ts";

const pages = { test: "test/core/flow/notification-steps.test.ts" } as const;
const reckoned = { test: "test/core/domain/people/notification-rules.test.ts" } as const;

/** Mutants of people's own notification rules. */
export const stepMutants: Mutants = {
  "ring-without-marker": {
    takes: "the marker by which a later ring is found when it is due",
    at: ["core/flow/notify/queue-packs.ts", "deliverPacks"],
    drops: "for (const each of later) await putMarker(deps, each);",
    caughtBy: pages,
  },
  "ring-begins-twice": {
    takes: "the note up to when rings have begun, by which a repeated message rings nobody again",
    at: ["core/flow/notify/claim-pack.ts", "takePack"],
    from: "message.rings === true ? Math.max(at, pack.rangAt ?? 0) : undefined",
    to: "undefined",
    caughtBy: pages,
  },
  "ring-by-the-senders-clock": {
    takes: "the time of the message, by which a sender whose clock is behind begins a ring",
    at: ["core/flow/notify/claim-pack.ts", "stepsUpTo"],
    from: "Math.max(deps.now(), marker.due)",
    to: "deps.now()",
    caughtBy: { test: "test/core/flow/notification-steps.test.ts" },
  },
  "ring-after-acknowledgement": {
    takes: "the look, when a ring is due, whether somebody has acknowledged",
    at: ["core/flow/notify/page-later.ts", "needlessToPage"],
    from: "pack.requiresAck && (await isAcknowledged(deps, event, pack))",
    to: "false",
    caughtBy: pages,
  },
  "ways-that-nobody-hears": {
    takes: "the devices that ring where rules reach none",
    at: ["core/domain/delivery/attempts.ts", "paging"],
    from: "attempts === undefined ? [...own] : []",
    to: "[]",
    caughtBy: pages,
  },
  "urgent-held": {
    takes: "URGENT's way through quiet hours",
    at: ["core/domain/people/notification-rules.ts", "heldUntil"],
    from: "PRIORITIES.indexOf(priority) >= PRIORITIES.indexOf(quietHours.holdBelow)",
    to: "priority === quietHours.holdBelow",
    caughtBy: reckoned,
  },
  "held-at-once": {
    takes: "the wait of a rung that falls into quiet hours",
    at: ["core/domain/people/notification-rules.ts", "scheduleSteps"],
    from: "heldUntil(quietHours, priority, begin + afterMinutes * MINUTE_MS)",
    to: "begin + afterMinutes * MINUTE_MS",
    caughtBy: reckoned,
  },
  "floor-not-lifted": {
    takes: "the ways that a workspace's floor adds",
    at: ["core/domain/people/notification-rules.ts", "scheduleSteps"],
    from: "liftedBy(floor, own)",
    to: "own",
    caughtBy: pages,
  },
};
