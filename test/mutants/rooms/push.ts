import type { Mutant } from "../mutant.ts";

/** Mutants of the calls to push services. */
export const pushMutants: readonly Mutant[] = [
  // Anybody can register an address, so the service calls only those of push services.
  {
    name: "any-endpoint-called",
    takes: "the look at an endpoint before it is called",
    at: ["core/push/web/web-push.ts", "addressOf"],
    drops: "isEndpoint",
    caughtBy: { test: "test/core/push/web/web-push.test.ts" },
  },
  {
    name: "names-that-lead-inward",
    takes: "the look at the addresses of a push service's name",
    at: ["core/push/web/public-lookup.ts", "createPublicLookup"],
    from: "addresses.some(({ address }) => isInward(address))",
    to: "false",
    caughtBy: { test: "test/core/push/web/public-lookup.test.ts" },
  },
  {
    name: "old-keys-not-tried",
    takes: "the second try, with the keys before a rotation",
    at: ["core/push/web/web-push.ts", "createWebPush"],
    from: "previous !== undefined",
    to: "previous !== undefined && false",
    caughtBy: { test: "test/core/push/web/web-push.test.ts" },
  },
];
