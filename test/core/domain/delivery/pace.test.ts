import { expect, it } from "vitest";
import type { Call } from "../../../../core/domain/delivery/attempts.ts";
import { turnIntervalMicros } from "../../../../core/domain/delivery/pace.ts";
import { rebookTurns } from "../../../../core/flow/notify/channel-turns.ts";
import { testClock } from "../../../world/clock.ts";
import { useTable } from "../../../world/use-table.ts";

const stand = await useTable();

it("on a channel with a rate limit, calls that are refused repeatedly are spaced up to sixteen times further apart", () => {
  expect([0, 1, 4, 5, 50].map((tries) => Math.round(turnIntervalMicros(1, tries) / turnIntervalMicros(1, 0)))).toEqual([
    1, 2, 16, 16, 16,
  ]);
});

const refusedCalls = (way: "sms" | "email", ...tries: number[]): Call[] =>
  tries.map((tried, position) => ({
    position,
    key: `dev_${position}`,
    way,
    device: { id: `dev_${position}`, platform: "web", name: null, createdAt: "", registeredAt: "" },
    before: { outcome: "sending", tries: tried, unknowns: 0 },
    answer: { kind: "retry", code: "X", slow: "rate" },
  }));

it("when several calls wait, a metric reports the waiting time of the last call", async () => {
  const { deps } = testClock();
  const calls = refusedCalls("email", ...Array.from({ length: 100 }, () => 0));

  await rebookTurns({ ...deps, table: stand.table, pace: { email: 1 / 0.95 } }, calls, { urgent: false });

  expect(deps.log.metric).toHaveBeenCalledWith("ChannelBehindSeconds", 100);
});

it("after a pause, the call that was refused most often decides how far apart the waiting calls are spaced", async () => {
  const { deps } = testClock();
  const calls = refusedCalls("sms", 0, 3, 1);

  await rebookTurns({ ...deps, table: stand.table, pace: { sms: 1.25 / 0.95 } }, calls, { urgent: false });

  expect(calls.map(({ turn = 0 }) => turn - deps.now())).toEqual([1000, 7400, 13_800]);
});
