import { describe, expect, it } from "vitest";
import { attacksOnAws, victimOnAws, simulateWaits, type SentEvent } from "../../bench/neighbours-on-aws.ts";

/** Returns the 99th percentile of the waiting times (ms) of the quiet workspace's events. */
const computeWaitP99 = (others: readonly SentEvent[], fair = true): number => {
  const waits = simulateWaits("victim", [...victimOnAws, ...others], fair).toSorted((one, other) => one - other);
  return waits[Math.ceil(0.99 * waits.length) - 1]!;
};

describe("beside a busy workspace on AWS (in virtual time), a quiet workspace's page", () => {
  const alone = computeWaitP99([]);
  const attacks = attacksOnAws.map(({ name, sent }) => [name, sent] as const);
  it.each(attacks)("waits at most twice as long as without the busy workspace: %s", (_, sent) => {
    expect(computeWaitP99(sent)).toBeLessThanOrEqual(2 * alone);
  });

  it("would wait more than five seconds behind 30,000 events if the queues did not treat workspaces fairly", () => {
    const [greatest] = attacksOnAws.toReversed();

    expect(computeWaitP99(greatest!.sent, false)).toBeGreaterThan(5_000);
  });
});
