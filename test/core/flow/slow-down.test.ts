import { expect, it } from "vitest";
import { createRandom } from "../../../tools/random.ts";
import type { PushOutcome } from "../../../core/domain/delivery/push/outcome.ts";
import { useWorld } from "../../world/use-world.ts";

const MINUTE = 60_000;
const PEOPLE = 320;
const accepted: PushOutcome = { kind: "accepted", messageId: "m" };

/** Returns the seconds after which pushes at the start or end of an event are retried if FCM asks them to wait a minute. */
const listRetrySeconds = async (edge: "start" | "end"): Promise<number[]> => {
  const times: number[] = [];
  const world = await useWorld({
    answer: ({ data }) => {
      if ((data["state"] === undefined) !== (edge === "start")) return accepted;
      times.push(world.now());
      return times.length <= PEOPLE ? { kind: "retry", code: "QUOTA_EXCEEDED", retryAfterMs: MINUTE } : accepted;
    },
  });
  world.deps.random = createRandom(47);
  const groupId = await world.group(
    "Ops",
    Array.from({ length: PEOPLE }, (_, nr) => `usr_${nr}`),
  );
  await world.rule([groupId], { eventKey: "site.down", requiresAck: true });

  await world.post({ event: "site.down", dedupeKey: "shop" });
  await world.runFor(5 * MINUTE);
  await world.post({ event: "site.up", resolves: "shop" });
  await world.runFor(5 * MINUTE);

  return times.slice(PEOPLE).map((at) => Math.floor((at - (times[0] ?? 0)) / 1000));
};

it.each(["start", "end"] as const)(
  "pushes about the %s of an event are retried at times spread over a quarter of a minute if all of them get a 429",
  async (about) => {
    const seconds = await listRetrySeconds(about);

    expect(seconds).toHaveLength(PEOPLE);
    expect(Math.min(...seconds)).toBeGreaterThanOrEqual(60);
    expect(Math.max(...seconds)).toBeLessThanOrEqual(76);
    // The event has twenty packs.
    expect(new Set(seconds).size).toBeGreaterThanOrEqual(8);
  },
);
