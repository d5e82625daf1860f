import { describe, expect, it } from "vitest";
import type { Call } from "../../../../core/domain/delivery/attempts.ts";
import type { DeviceAttempt } from "../../../../core/domain/delivery/notification.ts";
import {
  assignTurns,
  countTurnsNeeded,
  findLimitWithLongestPause,
  hasTurn,
  isAnyDelayedByRateLimit,
  computeNextSendTime,
  computePauseAfterLimit,
  revertAttemptsNotDue,
  revertSending,
  computeTurnIntervalMicros,
} from "../../../../core/domain/delivery/pace.ts";
import { NOON } from "../support.ts";
import { rebookTurns } from "../../../../core/flow/notify/channel-turns.ts";
import { createTestClock } from "../../../world/clock.ts";
import { useTable } from "../../../world/use-table.ts";

const stand = await useTable();

it("on a channel with a rate limit, messages that are refused repeatedly get intervals up to sixteen times longer", () => {
  expect(
    [0, 1, 4, 5, 50].map((tries) => Math.round(computeTurnIntervalMicros(1, tries) / computeTurnIntervalMicros(1, 0))),
  ).toEqual([1, 2, 16, 16, 16]);
});

const refusedCalls = (channel: "sms" | "email", ...tries: number[]): Call[] =>
  tries.map((tried, position) => ({
    position,
    key: `dev_${position}`,
    way: channel,
    device: { id: `dev_${position}`, platform: "web", name: null, createdAt: "", registeredAt: "" },
    before: { outcome: "sending", tries: tried, unknowns: 0 },
    answer: { kind: "retry", code: "X", slow: "rate" },
  }));

it.each([
  ["three seconds ago", -3000, -Infinity, 0],
  ["more than three seconds ago", -3001, -Infinity, 1],
  ["after those of urgent messages", 1000, 1000, 0],
  ["among those of urgent messages that came later", 999, 1000, 1],
])(
  "on a channel with a rate limit, a message whose sending time is %s reserves this many new sending times: $3",
  (_, at, urgentUntil, count) => {
    const now = 1_000_000;
    const attempt = { outcome: "sending" as const, way: "sms" as const, tries: 1, unknowns: 0, at: now + at };
    const attempts = new Map([[0, { dev_0: attempt }]]);

    expect(countTurnsNeeded(attempts, "sms", { now, urgentUntil: now + urgentUntil }).count).toBe(count);
  },
);

it.each([
  [0, "retry"],
  [1, "unknown"],
])(
  "if an attempt sends nothing, and the outcome of %i earlier attempts is unknown, the message has the outcome %s",
  (unknowns, outcome) => {
    expect(revertSending({ outcome: "sending", tries: 2, unknowns })).toEqual({ outcome, tries: 1, unknowns });
  },
);

it("when several messages wait for a channel, a metric reports the waiting time of the last message", async () => {
  const { deps } = createTestClock();
  const calls = refusedCalls("email", ...Array.from({ length: 100 }, () => 0));

  await rebookTurns({ ...deps, table: stand.table, pace: { email: 1 / 0.95 } }, calls, { urgent: false });

  expect(deps.log.metric).toHaveBeenCalledWith("ChannelBehindSeconds", 100);
});

it("after a pause, the message that was refused most often decides the interval between the waiting messages", async () => {
  const { deps } = createTestClock();
  const calls = refusedCalls("sms", 0, 3, 1);

  await rebookTurns({ ...deps, table: stand.table, pace: { sms: 1.25 / 0.95 } }, calls, { urgent: false });

  expect(calls.map(({ turn = 0 }) => turn - deps.now())).toEqual([1000, 7400, 13_800]);
});

const attempt = (fields: Partial<DeviceAttempt>): DeviceAttempt => ({
  outcome: "sending",
  tries: 1,
  unknowns: 0,
  way: "email",
  ...fields,
});
const createAttempts = (...attempts: Partial<DeviceAttempt>[]) =>
  new Map(attempts.map((fields, position) => [position, { [`dev_${position}`]: attempt(fields) }]));
const pace = { email: 14 };

it.each([
  ["rate", 4, 1000],
  ["busy", 4, 15_000],
  ["quota", 0, 60_000],
  ["quota", 2, 240_000],
  ["quota", 8, 300_000],
] as const)("a channel that reports the limit %s after %d quota reports pauses for %d ms", (limit, earlier, pause) => {
  expect(computePauseAfterLimit(limit, earlier)).toBe(pause);
});

it("if several answers report limits, the limit with the longest pause applies to the channel", () => {
  const refusal = (slow?: "rate" | "busy" | "quota") => ({ kind: "retry" as const, code: "X", ...(slow && { slow }) });

  expect(findLimitWithLongestPause([refusal("rate"), undefined, refusal("quota"), refusal("busy")])).toBe("quota");
  expect(findLimitWithLongestPause([refusal("rate"), refusal("busy")])).toBe("busy");
  expect(findLimitWithLongestPause([refusal(), { kind: "accepted", messageId: "m" }])).toBeUndefined();
});

describe("an attempt on a channel with a rate limit", () => {
  it.each<[string, Partial<DeviceAttempt>, urgentUntil: number, needed: number]>([
    ["without a sending time", {}, 0, 1],
    ["whose sending time was missed by three seconds", { at: NOON - 3000 }, 0, 0],
    ["whose sending time was missed by more than three seconds", { at: NOON - 3001 }, 0, 1],
    ["whose sending time was taken by an urgent pack", { at: NOON + 999 }, NOON + 1000, 1],
    ["whose sending time is after those of urgent packs", { at: NOON + 1000 }, NOON + 1000, 0],
    ["that is not about to be made", { outcome: "retry" }, 0, 0],
    ["on another channel", { way: "sms" }, 0, 0],
  ])(
    "reserves a new sending time only if it has no usable one: for an attempt %s, the number of reserved times is $3",
    (_, fields, urgentUntil, needed) => {
      const at = { now: NOON, urgentUntil };
      const claimed = createAttempts(fields);

      expect(countTurnsNeeded(claimed, "email", at)).toEqual({ count: needed, tries: 0 });
      expect(assignTurns(claimed, "email", { first: (NOON + 5000) * 1000, step: 1 }, at)).toEqual(
        needed === 1 ? createAttempts({ ...fields, at: NOON + 5000 }) : claimed,
      );
    },
  );

  it("reserves a sending time; the attempt that was repeated most often decides the intervals between these times", () => {
    const at = { now: NOON, urgentUntil: 0 };
    const claimed = createAttempts({ tries: 2 }, { tries: 4 }, { way: "sms" }, { tries: 3 });

    expect(countTurnsNeeded(claimed, "email", at)).toEqual({ count: 3, tries: 3 });
    expect(assignTurns(claimed, "email", { first: NOON * 1000 + 1, step: 2_000_000 }, at)).toEqual(
      createAttempts(
        { tries: 2, at: NOON + 1 },
        { tries: 4, at: NOON + 2001 },
        { way: "sms" },
        { tries: 3, at: NOON + 4001 },
      ),
    );
  });

  it.each<[string, Partial<DeviceAttempt>, boolean, string]>([
    ["without a sending time", {}, false, "is not"],
    ["whose sending time is three seconds away", { at: NOON + 3000 }, false, "is not"],
    ["whose sending time is more than three seconds away", { at: NOON + 3001 }, true, "is"],
    ["by text message, at its retry time,", { way: "sms", at: NOON }, false, "is not"],
    ["by text message, before its retry time,", { way: "sms", at: NOON + 1 }, true, "is"],
    ["by push, before its retry time,", { way: undefined, at: NOON + 1 }, true, "is"],
    ["that is not about to be made", { outcome: "unknown", at: NOON + 9000 }, false, "is not"],
  ])("is postponed if the worker cannot wait for it: an attempt %s $3 postponed", (_, fields, isRemoved) => {
    expect(revertAttemptsNotDue(createAttempts(fields), pace, NOON)).toEqual(
      isRemoved ? createAttempts({ ...fields, outcome: "retry", tries: 0 }) : createAttempts(fields),
    );
  });

  it.each<[string, Partial<DeviceAttempt>, isLimited: boolean, isWaiting: boolean, sendAt: number | undefined]>([
    ["that is about to be made continues two seconds before its time", { at: NOON }, true, true, NOON - 2000],
    ["that is a retry continues two seconds before its time", { at: NOON, outcome: "retry" }, false, true, NOON - 2000],
    ["that was accepted is not delayed", { at: NOON, outcome: "accepted" }, false, false, NOON - 2000],
    [
      "is not delayed if it is by text message, a channel without a limit here",
      { at: NOON, way: "sms" },
      false,
      false,
      NOON,
    ],
    ["is not delayed if it is by push, a channel without a limit", { at: NOON, way: undefined }, false, false, NOON],
    ["without a time is not delayed", {}, false, false, undefined],
  ])("%s", (_, fields, isLimited, isWaiting, sendAt) => {
    const other = { way: "sms" as const };

    expect(hasTurn(createAttempts(other, fields), pace)).toBe(isLimited);
    expect(isAnyDelayedByRateLimit([attempt(other), attempt(fields)], pace)).toBe(isWaiting);
    expect(computeNextSendTime(attempt(fields), pace)).toBe(sendAt);
  });
});
