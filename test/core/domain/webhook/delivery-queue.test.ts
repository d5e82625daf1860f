import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decideNextQueueAction,
  freshHead,
  toPostOutcome,
  REFUSED_TRIES,
  type QueueHead,
  type PostOutcome,
} from "../../../../core/domain/webhook/delivery-queue.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe("a response status of a webhook", () => {
  it.each([
    [199, "failed"],
    [200, "taken"],
    [204, "taken"],
    [299, "taken"],
    [300, "failed"],
    [301, "failed"],
    [302, "failed"],
    [400, "refused"],
    [401, "failed"],
    [404, "failed"],
    [410, "gone"],
    [413, "refused"],
    [422, "refused"],
    [429, "failed"],
    [500, "failed"],
    [503, "failed"],
  ])("%i gives the message the outcome %s", (status, kind) => {
    expect(toPostOutcome(status, undefined)).toStrictEqual({ kind, code: `HTTP_${status}` });
  });

  it("is stored with the receiver's Retry-After if it means failure", () => {
    expect(toPostOutcome(503, 60_000)).toEqual({ kind: "failed", code: "HTTP_503", retryAfterMs: 60_000 });
  });
});

/** Repeats one outcome of a delivery queue's first message until the queue stops. Returns the pauses and the last action. */
const runUntilStopped = (outcome: PostOutcome, random = 0, start = 1_000_000) => {
  let head: QueueHead = freshHead;
  const pauses: number[] = [];
  const told: number[] = [];
  for (let at = start; ;) {
    const next = decideNextQueueAction(head, outcome, at, random);
    if (next.kind !== "waits") return { pauses, told, end: next, after: at - start };
    if (next.tell) told.push(at - start);
    pauses.push(next.due - at);
    ({ head } = next);
    at = next.due;
  }
};

describe("a webhook whose first message fails", () => {
  it("is retried after pauses that grow from 5 seconds to 10 hours, and suspended after three days", () => {
    const { pauses, end, after } = runUntilStopped({ kind: "failed", code: "DEADLINE" });

    expect(pauses.slice(0, 9)).toEqual([
      5_000,
      30_000,
      300_000,
      1_800_000,
      1_800_000,
      2 * HOUR,
      5 * HOUR,
      10 * HOUR,
      10 * HOUR,
    ]);
    expect(after).toBe(3 * DAY);
    expect(end).toEqual({
      kind: "suspended",
      because: "silent",
      since: 1_000_000,
      failure: { at: 1_000_000 + 3 * DAY, code: "DEADLINE" },
    });
  });

  it("is reported to the owners after an hour", () => {
    expect(runUntilStopped({ kind: "failed", code: "DEADLINE" }).told[0]).toBe(
      5_000 + 30_000 + 300_000 + 1_800_000 + 1_800_000,
    );
  });

  it("is retried after its Retry-After, within limits", () => {
    const pauseOf = (retryAfterMs: number) =>
      runUntilStopped({ kind: "failed", code: "HTTP_429", retryAfterMs }).pauses[0];

    expect(pauseOf(60_000)).toBe(60_000);
    expect(pauseOf(1)).toBe(5_000);
    expect(pauseOf(30 * DAY)).toBe(10 * HOUR);
  });

  it("is retried after its pause and up to a tenth more, so that the retries of many webhooks spread", () => {
    expect(runUntilStopped({ kind: "failed", code: "DEADLINE" }, 1).pauses.slice(0, 3)).toEqual([
      5_500, 33_000, 330_000,
    ]);
    expect(runUntilStopped({ kind: "failed", code: "DEADLINE" }, 0.5).pauses[0]).toBe(5_250);
  });

  it.each([
    [HOUR - 1, false, "is not reported"],
    [HOUR, true, "is reported"],
  ])("$2 to the owners after %i ms", (after, tell) => {
    const head = { tries: 1, failingSince: 7 };

    expect(decideNextQueueAction(head, { kind: "failed", code: "DEADLINE" }, 7 + after, 0)).toMatchObject({
      kind: "waits",
      tell,
    });
  });

  it("is not suspended before three days have passed, at whichever hour it is retried", () => {
    const at = 2 * DAY;

    expect(
      decideNextQueueAction({ tries: 9, failingSince: at }, { kind: "failed", code: "DEADLINE" }, at + DAY, 0).kind,
    ).toBe("waits");
  });

  it("gets a last attempt a second after an attempt that fails just before the three days end", () => {
    const at = 3 * DAY;

    expect(
      decideNextQueueAction({ tries: 9, failingSince: 1 }, { kind: "failed", code: "DEADLINE" }, at, 0),
    ).toMatchObject({
      due: at + 1_000,
    });
  });

  it("continues once it accepts the message, however long it has failed", () => {
    const head = { tries: 9, failingSince: 1 };

    expect(decideNextQueueAction(head, { kind: "taken", code: "HTTP_200" }, 4 * DAY, 0)).toEqual({ kind: "goes_on" });
  });

  it("is reported to the owners at once if somebody must act", () => {
    const outcome = { kind: "failed", code: "HTTP_401", needsSomebody: true } as const;

    expect(decideNextQueueAction(freshHead, outcome, 5, 0)).toMatchObject({ kind: "waits", tell: true });
  });

  it("that answers 429 gets the message again after Retry-After, or after a second, and does not count as failing", () => {
    const head = { tries: 3, failingSince: 1 };
    const outcome = { kind: "failed", code: "HTTP_429", isPaced: true } as const;

    expect(decideNextQueueAction(head, { ...outcome, retryAfterMs: 30_000 }, 5, 0)).toMatchObject({
      head,
      due: 30_005,
    });
    expect(decideNextQueueAction(freshHead, outcome, 5, 0)).toMatchObject({ head: { tries: 0 }, due: 1_005 });
    // Many delivery queues may get this answer from one service at the same time, so their retries must spread.
    expect(decideNextQueueAction(head, { ...outcome, retryAfterMs: 30_000 }, 5, 1)).toMatchObject({ due: 45_005 });
  });

  it("is suspended at once if it answers that it wants no more messages", () => {
    expect(decideNextQueueAction(freshHead, { kind: "gone", code: "HTTP_410" }, 5, 0)).toEqual({
      kind: "suspended",
      because: "gone",
      since: 5,
      failure: { at: 5, code: "HTTP_410" },
    });
  });

  it("loses only a message that it refuses again and again", () => {
    const { pauses, end } = runUntilStopped({ kind: "refused", code: "HTTP_422" });

    expect(pauses).toHaveLength(REFUSED_TRIES - 1);
    expect(end.kind).toBe("set_aside");
  });

  it("loses a message at once if the webhook answers that it will never accept that message", () => {
    const never = { kind: "refused", code: "channel_not_found", isFinal: true } as const;

    expect(decideNextQueueAction(freshHead, never, 5, 0).kind).toBe("set_aside");
    expect(decideNextQueueAction(freshHead, { kind: "refused", code: "HTTP_422" }, 5, 0).kind).toBe("waits");
  });
});

it("after any answer, a delivery queue continues, discards the message, is suspended or waits a limited time", () => {
  const outcomes = fc.oneof(
    fc.record({
      kind: fc.constant("failed" as const),
      code: fc.string(),
      retryAfterMs: fc.option(fc.nat(), { nil: undefined }),
    }),
    fc.record({ kind: fc.constantFrom("refused" as const, "gone" as const, "taken" as const), code: fc.string() }),
  );
  fc.assert(
    fc.property(
      fc.array(outcomes, { minLength: 1, maxLength: 40 }),
      fc.float({ min: 0, max: 1, noNaN: true }),
      (all, random) => {
        let head: QueueHead = freshHead;
        let at = 0;
        for (const outcome of all) {
          const next = decideNextQueueAction(head, outcome, at, random);
          if (next.kind !== "waits") {
            expect(next.kind === "goes_on").toBe(outcome.kind === "taken");
            head = freshHead;
            at += 1;
            continue;
          }
          expect(next.due).toBeGreaterThan(at);
          expect(next.due - at).toBeLessThanOrEqual(11 * HOUR);
          expect(next.due).toBeLessThanOrEqual(Math.max(at + 1000, next.head.failingSince + 3 * DAY));
          expect(next.head.tries).toBe(head.tries + 1);
          ({ head } = next);
          at = next.due;
        }
      },
    ),
  );
});
