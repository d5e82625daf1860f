import type { Mutants } from "../mutant.ts";

/** Mutants of the calls to push services. */
export const pushMutants: Mutants = {
  // Anybody can register an address, so the service calls only those of push services.
  "any-endpoint-called": {
    takes: "the look at an endpoint before it is called",
    at: ["core/push/web/web-push.ts", "addressOf"],
    drops: "isEndpoint",
    caughtBy: { test: "test/core/push/web/web-push.test.ts" },
  },
  "names-that-lead-inward": {
    takes: "the look at the addresses of a push service's name",
    at: ["core/post/public-lookup.ts", "createPublicLookup"],
    from: "addresses.some(({ address }) => isInward(address))",
    to: "false",
    caughtBy: { test: "test/core/post/public-lookup.test.ts" },
  },
  "old-keys-not-tried": {
    takes: "the second try, with the keys before a rotation",
    at: ["core/push/web/web-push.ts", "pairsOf"],
    from: "[current, previous]",
    to: "[current]",
    caughtBy: { test: "test/core/push/web/web-push.test.ts" },
  },
  // A refusal that may be about one device, or about all.
  "foreign-without-proof": {
    takes: "the look whether anybody takes pushes, before a device is another sender's",
    at: ["core/domain/delivery/foreign.ts", "judged"],
    from: " && !channels.has(channelOf(device))",
    to: " && false",
    caughtBy: { test: "test/core/flow/foreign-device.test.ts" },
  },
  "foreign-never-ends": {
    takes: "the proof that others give against a device of another sender",
    at: ["core/domain/delivery/foreign.ts", "judged"],
    cuts: " && !channels.has(channelOf(device))",
    caughtBy: { scenario: "foreign" },
  },
  "keys-of-before-the-browser": {
    takes: "the second read of keys that were read before the browser registered",
    at: ["core/push/web/web-push.ts", "createWebPush"],
    from: "read.atMs >= registeredAt",
    to: "registeredAt > 0",
    caughtBy: { test: "test/core/push/web/web-push.test.ts" },
  },
  "account-of-before-the-phone": {
    takes: "the second read of a service account that was read before the phone registered",
    at: ["core/push/fcm.ts", "createPush"],
    from: "session.asOfMs >= since) return true",
    to: "since > 0) return true",
    caughtBy: { test: "test/core/push/credentials.test.ts" },
  },
  "wrong-keys-are-proven": {
    takes: "the look whether a push was taken under the keys",
    at: ["core/push/web/web-push.ts", "createWebPush"],
    from: "good.has(publicKey)",
    to: "publicKey.length > 0",
    caughtBy: { test: "test/core/push/web/web-push.test.ts" },
  },
  // Secrets: known before the claim, and never waited for long.
  "old-secret-dropped": {
    takes: "the old value's service while no new one can be read",
    at: ["core/push/kept.ts", "keep"],
    from: "if (old === undefined) throw error;",
    to: "throw error;",
    caughtBy: { test: "test/core/push/kept.test.ts" },
  },
  "secret-waited-for": {
    takes: "the bound on the wait for a secret",
    at: ["core/push/kept.ts", "keep"],
    from: "await within(after, waitMs, reading.work)",
    to: "await within(after, Infinity, reading.work)",
    caughtBy: { test: "test/core/push/kept.test.ts" },
  },
  "secret-not-read-ahead": {
    takes: "the read of a secret ahead of its age",
    at: ["core/push/kept.ts", "keep"],
    from: "isGood && isSince(old.atMs, aheadMs)",
    to: "isGood",
    caughtBy: { test: "test/core/push/kept.test.ts" },
  },
  "secret-over-kept-connection": {
    takes: "a connection of its own for each read of a secret",
    at: ["core/live-secrets.ts", "secretsClientOptions"],
    from: "httpAgent: { keepAlive: false }",
    to: "httpAgent: { keepAlive: true }",
    caughtBy: { test: "test/core/live-secrets.test.ts" },
  },
  "secret-without-timeout": {
    takes: "the timeout of a read of a secret",
    at: ["core/live-secrets.ts", "secretsClientOptions"],
    from: "requestTimeout: 1000",
    to: "requestTimeout: 60_000",
    caughtBy: { test: "test/core/live-secrets.test.ts" },
  },
  "claimed-unready": {
    takes: "the claim's wait for credentials",
    at: ["core/flow/notify/claim-pack.ts", "takePack"],
    from: "ready === undefined && ",
    to: "ready === undefined && false && ",
    caughtBy: { test: "test/core/flow/before-the-claim.test.ts" },
  },
  "check-without-end": {
    takes: "the end of a last check that is not answered",
    at: ["core/flow/notify/send-notification.ts", "needlessMeanwhile"],
    from: "await Promise.race([needlessBecause(deps, held, message), late])",
    to: "await Promise.race([needlessBecause(deps, held, message), late.catch(() => new Promise<never>(() => {}))])",
    caughtBy: { test: "test/core/flow/before-the-claim.test.ts" },
  },
  "foreign-not-told": {
    takes: "the notice to the owner of a device of another sender",
    at: ["core/flow/notify/update-devices.ts", "notifyOfForeign"],
    drops: "await createOwnIngest(deps)",
    caughtBy: { test: "test/core/flow/foreign-device.test.ts" },
  },
  "urgent-in-the-same-line": {
    takes: "the line of what is URGENT",
    at: ["core/store/delivery/paces.ts", "takeTurns"],
    from: 'urgent ? "urgent" : "bulk"',
    to: '"bulk"',
    caughtBy: { test: "test/core/flow/pace.test.ts" },
  },
  "no-turns": {
    takes: "the turns on channels that AWS counts by the second",
    at: ["core/flow/notify/turns.ts", "claimTurns"],
    from: "if (count === 0) continue;",
    to: "if (count >= 0) continue;",
    caughtBy: { test: "test/core/flow/pace.test.ts" },
  },
  "unchecked-after-a-wait": {
    takes: "the check after a wait for a turn whether anybody still needs the message",
    at: ["core/flow/notify/send-notification.ts", "isStillNeeded"],
    from: "(await needlessBecause(deps, held, message)) === undefined",
    to: "true",
    caughtBy: { test: "test/core/flow/pace.test.ts" },
  },
};
