import { LATE, withTimeLimit, type SetTimer } from "./time-limit.ts";

/** `atMs`: the time at which the read began. */
export type CachedValue<Value> = { value: Value; atMs: number };

export type KeepOptions = {
  /** What the value is called in error messages. */
  what: string;
  now: () => number;
  after: SetTimer;
  /** If the value is older than this time, it is read again in the background, while callers use the old value. */
  aheadMs: number;
  /** If the value is older than this time, callers wait for a new read, and use the old value only if the read fails. */
  forMs: number;
  /** The maximum time that a caller waits. For this time after a failed read, no new read begins, and no caller waits. */
  waitMs: number;
};

type Reading<Value> = { work: Promise<CachedValue<Value>>; atMs: number };

/**
 * Creates the function that returns a cached value, and reads the value again before it gets too old. Concurrent callers share a
 * read. Rejects callers after the maximum wait if there is no value. `since`: a value that was read before `since` is too old.
 * Callers must compare `atMs` with `since`, because a failed read returns the old value.
 */
export const cacheValue = <Value>(
  read: () => Promise<Value>,
  { what, now, after, aheadMs, forMs, waitMs }: KeepOptions,
): ((since?: number) => Promise<CachedValue<Value>>) => {
  let kept: CachedValue<Value> | undefined;
  let reading: Reading<Value> | undefined;
  let failed: { atMs: number; error: unknown } | undefined;

  const beginRead = (): Reading<Value> => {
    const atMs = now();
    // A read that was frozen with the instance must not replace a newer value.
    const isReplacedByNewer = () => kept !== undefined && kept.atMs > atMs;
    const readAndCache = async (): Promise<CachedValue<Value>> => {
      try {
        const fresh = { value: await read(), atMs };
        if (!isReplacedByNewer()) [kept, failed] = [fresh, undefined];
        return fresh;
      } catch (error) {
        if (!isReplacedByNewer()) failed = { atMs: now(), error };
        throw error;
      }
    };
    const begun = { work: readAndCache(), atMs };
    begun.work.catch(() => undefined);
    return begun;
  };

  const isYoungerThan = (atMs: number, ageMs: number): boolean => now() - atMs < ageMs;

  return async (since = -Infinity) => {
    const old = kept;
    const isGood = old !== undefined && old.atMs >= since && isYoungerThan(old.atMs, forMs);
    if (isGood && isYoungerThan(old.atMs, aheadMs)) return old;
    if (failed !== undefined && isYoungerThan(failed.atMs, waitMs)) {
      if (old !== undefined) return old;
      throw failed.error;
    }
    // A running read that is older than `waitMs` was frozen with the instance, or its connection was closed.
    if (reading === undefined || reading.atMs < since || !isYoungerThan(reading.atMs, waitMs)) reading = beginRead();
    if (isGood) return old;
    try {
      const fresh = await withTimeLimit(after, waitMs, reading.work);
      if (fresh !== LATE) return fresh;
    } catch (error) {
      if (old === undefined) throw error;
    }
    if (old === undefined) throw new Error(`reading ${what} took longer than ${waitMs} ms`);
    return old;
  };
};
