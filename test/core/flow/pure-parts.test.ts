import { expect, it, vi } from "vitest";
import type { WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { refuseAdmission } from "../../../core/flow/ingest/refuse-admission.ts";
import { repeatUntilDone } from "../../../core/flow/notify/repeat-until-done.ts";
import { shareConcurrentCalls, splitSharedKey } from "../../../core/flow/share-calls.ts";
import { createSweep, processDueItems } from "../../../core/flow/sweep/due-items.ts";
import type { Control } from "../../../core/domain/workspace/control.ts";

/* Tests the parts of the flow that make no calls, without the simulated service. */

const QUOTA = "used 99 of the 99 events of this month. The count restarts at 2026-12-01T00:00:00.000Z.";
const RATE = "may send 60 events a minute, in bursts of at most 10. Try again in 3 s.";

it.each([
  ["bad_key", "unauthenticated", "", {}],
  ["contended", "busy", "Try again in 1 s.", { retryAfterSeconds: 1 }],
  ["over_rate", "rate_limited", RATE, { retryAfterSeconds: 3, rate: { remaining: 0 } }],
  ["over_quota", "quota_exceeded", QUOTA, { members: { limit: 99, used: 99, resetAt: "2026-12-01T00:00:00.000Z" } }],
] as const)("an event with the admission result %s is refused with the error %s", (kind, code, message, extras) => {
  const plan = { monthlyEvents: 99, eventsPerMinute: 60, burst: 10, retentionDays: 30 };
  const control = { plan, used: 99, month: "2026-11", tat: 12_000_000 } as Control;

  const refusal = refuseAdmission({ kind, control }, 0);

  expect([refusal.kind, refusal.message]).toEqual([code, expect.stringContaining(message)]);
  expect(refusal.extras).toMatchObject(extras);
});

it("an action that is repeated until it succeeds doubles its pauses up to two seconds, and is given up at its deadline", async () => {
  const pauses: number[] = [];
  const failures: unknown[] = [];
  const nowMs = () => pauses.reduce((sum, ms) => sum + ms, 0);
  const deps = { now: nowMs, random: () => 0.5, sleep: async (ms: number) => void pauses.push(ms) };
  const fail = () => Promise.reject(new Error(`after ${pauses.length} pauses`));

  await expect(repeatUntilDone(deps, 5325, fail, (error) => failures.push(error))).rejects.toThrow("after 7 pauses");

  expect(pauses).toEqual([75, 150, 300, 600, 1200, 1500, 1500]);
  expect(failures).toHaveLength(7);
  expect(await repeatUntilDone(deps, 0, async () => "done", vi.fn())).toBe("done");
});

it("calls that come while a call with the same key runs wait for it, then run as one batch, and get a result each", async () => {
  const works: string[] = [];
  const ask = shareConcurrentCalls(async (key, asked: readonly number[]) => {
    works.push(`${key} ${asked.join()}`);
    if (asked.includes(9)) throw new Error("down");
    return asked.filter((one) => one !== 8).map((one) => 2 * one);
  });
  const askAll = async (...calls: readonly [string, number][]) =>
    (await Promise.allSettled(calls.map(([key, one]) => ask(key, one)))).map((one) =>
      one.status === "fulfilled" ? one.value : String(one.reason),
    );

  expect(await askAll(["a", 1], ["a", 2], ["b", 3], ["a", 4])).toEqual([2, 4, 6, 8]);
  expect(await askAll(["a", 9], ["a", 5], ["a", 8])).toEqual([
    "Error: down",
    10,
    "Error: a batched call returned fewer answers than questions",
  ]);
  expect(works).toEqual(["a 1", "b 3", "a 2,4", "a 9", "a 5,8"]);
  expect(splitSharedKey("ws_1 usr_2 x")).toEqual(["ws_1", "usr_2", "x"]);
});

it("a sweep takes due items from the workspaces in turn until its time is over, and postpones items that it cannot read", async () => {
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn(), metric: vi.fn() };
  const key = (sk: number) => ({ pk: "P", sk: String(sk) });
  const readableItem = (sk: number, ws: WorkspaceId = "ws_1") =>
    ({ kind: "readable", key: key(sk), stored: key(sk), item: { ws, sk } }) as const;
  const unreadableItem = (sk: number) =>
    ({ kind: "unreadable", key: key(sk), stored: key(sk), error: new Error("bad") }) as const;
  const first = Array.from({ length: 300 }, (_, sk) =>
    sk < 25 ? unreadableItem(sk) : readableItem(sk, sk < 299 ? "ws_1" : "ws_2"),
  );
  const sweepUntil = async (until: number) => {
    let nowMs = 0;
    const sweep = createSweep({ log, now: () => nowMs }, until);
    const [asked, skipped, worked]: [unknown[], unknown[], number[][]] = [[], [], []];
    const list = async (_: unknown, shard: string, upTo: number, limit: number, after?: object) => {
      asked.push([shard, upTo, limit, after]);
      return after === undefined ? first : [readableItem(300)];
    };
    const postpone = async (due: unknown) => {
      skipped.push(due);
      if (skipped.length === 1) throw new Error("not postponed");
    };
    await processDueItems(
      { now: () => nowMs } as never,
      sweep,
      { list, shard: "07", upTo: 5, postpone },
      async (some) => {
        worked.push(some.map((one) => one.item.sk));
        nowMs += 1;
      },
    );
    return { asked, skipped, worked, failed: [sweep.takeFailed(), sweep.takeFailed()], found: sweep.found };
  };

  const whole = await sweepUntil(100);
  expect(whole.asked).toEqual([
    ["07", 5, 300, undefined],
    ["07", 5, 300, key(299)],
  ]);
  expect(whole.worked.map((some) => some.length)).toEqual([30, 30, 30, 30, 30, 30, 30, 30, 30, 5, 1]);
  expect(whole.worked[0]!.slice(0, 3)).toEqual([25, 299, 26]);
  expect(whole.skipped).toEqual(first.slice(0, 25));
  expect(whole.failed).toEqual([25, 0]);
  expect(whole.found).toEqual({ swept: 0, stuck: 0, oldestSince: 0 });
  expect(log.error).toHaveBeenCalledTimes(20);
  expect(log.error).toHaveBeenCalledWith("sweeper.item_failed", new Error("bad"), { list: "P", item: "0" });

  const short = await sweepUntil(2);
  expect([short.asked.length, short.worked.length]).toEqual([1, 2]);
});
