import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { cacheValue } from "../../../core/push/cached-value.ts";
import { afterRealTime, LATE, withTimeLimit, type SetTimer } from "../../../core/push/time-limit.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

let nowMs: number;
let timers: { at: number; run: () => void }[];
const after: SetTimer = (ms, run) => {
  const timer = { at: nowMs + ms, run };
  timers.push(timer);
  return () => void timers.splice(timers.indexOf(timer), 1);
};
const passTime = async (ms: number) => {
  nowMs += ms;
  await new Promise((resolve) => setImmediate(resolve));
  for (const { run } of timers.filter(({ at }) => at <= nowMs)) run();
  await new Promise((resolve) => setImmediate(resolve));
};
const neverSettles = () => Promise.withResolvers<string>().promise;

const read = vi.fn<() => Promise<string>>();
const aCachedSecret = () =>
  cacheValue(read, {
    what: "the secret",
    now: () => nowMs,
    after,
    aheadMs: 2 * MINUTE,
    forMs: 5 * MINUTE,
    waitMs: 2 * SECOND,
  });

beforeEach(() => {
  nowMs = 1_000_000;
  timers = [];
  read.mockReset().mockResolvedValue("first");
});

describe("a cached secret", () => {
  it("is read once for all concurrent callers, and is read again before it is too old", async () => {
    const get = aCachedSecret();
    await Promise.all([get(), get()]);
    const once = read.mock.calls.length;
    read.mockResolvedValue("second");

    await passTime(3 * MINUTE);
    const served = await get();
    await passTime(0);

    expect([once, served.value, (await get()).value]).toEqual([1, "first", "second"]);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it("is not read again while it is fresh", async () => {
    const get = aCachedSecret();
    await get();
    await passTime(MINUTE);
    await get();

    expect(read).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["the old value is used", "first"],
    ["callers get an error", undefined],
  ])("is not read again for two seconds after a failed read; meanwhile, %s", async (_, old) => {
    const get = aCachedSecret();
    if (old !== undefined) await get();
    await passTime(60 * MINUTE);
    const late = Promise.withResolvers<string>();
    read.mockReset().mockReturnValueOnce(late.promise).mockResolvedValue("second");
    const valueOf = () =>
      get().then(
        ({ value }) => value,
        (error: unknown) => error,
      );
    const waiting = valueOf();
    await passTime(1.5 * SECOND);
    late.reject(new Error("down"));
    await waiting;

    await passTime(SECOND);
    const meanwhile = await valueOf();
    await passTime(SECOND);

    expect([meanwhile, await valueOf()]).toEqual([old ?? new Error("down"), "second"]);
  });

  it("that is too old, such as after an hour in a frozen instance, makes its callers wait for a new read", async () => {
    const get = aCachedSecret();
    await get();
    read.mockResolvedValue("second");

    await passTime(60 * MINUTE);

    expect(await get()).toEqual({ value: "second", atMs: nowMs });
  });

  it("is still used while it cannot be read again, and only the first caller waits for a new read", async () => {
    const get = aCachedSecret();
    await get();
    await passTime(60 * MINUTE);
    read.mockReset().mockRejectedValue(new Error("down"));

    const values = [await get(), await get(), await get()].map(({ value }) => value);

    expect(values).toEqual(["first", "first", "first"]);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it("is still used after a limited wait if the read is never answered", { timeout: 5000 }, async () => {
    const get = aCachedSecret();
    await get();
    await passTime(60 * MINUTE);
    read.mockImplementation(neverSettles);

    const waiting = get();
    await passTime(2 * SECOND);

    expect((await waiting).value).toBe("first");
  });

  it("is read again if an unanswered read froze together with the Lambda instance", async () => {
    const get = aCachedSecret();
    read.mockImplementationOnce(neverSettles);
    get().catch(() => undefined);

    nowMs += MINUTE;

    expect((await get()).value).toBe("first");
  });

  it("is not replaced by an older value from a read that is answered late", async () => {
    const late = Promise.withResolvers<string>();
    read.mockReturnValueOnce(late.promise).mockResolvedValue("second");
    const get = aCachedSecret();
    get().catch(() => undefined);
    await passTime(60 * MINUTE);
    await get();

    late.resolve("first");
    await passTime(MINUTE);

    expect(await get()).toEqual({ value: "second", atMs: nowMs - MINUTE });
  });

  it("is read again when it is due, even if an earlier read that was frozen fails late", async () => {
    const late = Promise.withResolvers<string>();
    read.mockReturnValueOnce(late.promise).mockResolvedValue("second");
    const get = aCachedSecret();
    get().catch(() => undefined);
    await passTime(60 * MINUTE);
    await get();
    await passTime(10 * MINUTE);

    late.reject(new Error("socket closed"));
    await passTime(0);

    expect(await get()).toEqual({ value: "second", atMs: nowMs });
  });

  it("gives callers an error after a limited wait if its first read is not answered; the next caller reads again", async () => {
    const get = aCachedSecret();
    read.mockImplementationOnce(neverSettles);
    const waiting = get().catch(String);
    await passTime(2 * SECOND);
    expect(await waiting).toContain("reading the secret took longer than 2000 ms");
    read.mockRejectedValueOnce(new Error("down"));
    await expect(get()).rejects.toThrow("down");
    await expect(get()).rejects.toThrow("down");
    const tries = read.mock.calls.length;

    await passTime(2 * SECOND);

    expect([tries, (await get()).value]).toEqual([2, "first"]);
  });

  it("is still used if a read before its expiry fails", async () => {
    const unhandled = vi.fn();
    process.once("unhandledRejection", unhandled);
    const get = aCachedSecret();
    await get();
    await passTime(3 * MINUTE);
    read.mockRejectedValue(new Error("down"));

    expect((await get()).value).toBe("first");
    await passTime(0);

    expect(read).toHaveBeenCalledTimes(2);
    expect(unhandled).not.toHaveBeenCalled();
    process.off("unhandledRejection", unhandled);
  });

  it("is read once more for all callers that need a newer value than the last read returned", async () => {
    const get = aCachedSecret();
    const begun = nowMs;
    read.mockResolvedValueOnce("before").mockResolvedValueOnce("after");

    const asOfThen = [get(), get(begun)];
    nowMs += 1;
    const later = get(nowMs);

    expect((await Promise.all(asOfThen)).map(({ value }) => value)).toEqual(["before", "before"]);
    expect(await later).toEqual({ value: "after", atMs: begun + 1 });
    expect(read).toHaveBeenCalledTimes(2);
  });

  it("is read again for a caller that knows that there must be a newer value", async () => {
    const get = aCachedSecret();
    const { atMs } = await get();
    await passTime(SECOND);

    expect((await get(atMs)).atMs).toBe(atMs);
    expect((await get(nowMs)).atMs).toBe(nowMs);
  });
});

describe("work with a time limit", () => {
  afterEach(() => vi.useRealTimers());

  it("leaves no timer behind if it ends in time", async () => {
    vi.useFakeTimers();

    expect(await withTimeLimit(afterRealTime, SECOND, Promise.resolve("done"))).toBe("done");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is reported as late if it does not end in time", async () => {
    vi.useFakeTimers();
    const late = withTimeLimit(afterRealTime, SECOND, neverSettles());

    await vi.advanceTimersByTimeAsync(SECOND);

    expect(await late).toBe(LATE);
  });
});
