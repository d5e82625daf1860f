import { LATE, withTimeLimit, type After } from "./time-limit.ts";

/** `atMs`: when the read began. */
export type Kept<Value> = { value: Value; atMs: number };

export type KeepOptions = {
  /** For the text of an error. */
  what: string;
  now: () => number;
  after: After;
  /** An older value is read again in the background, while callers still use it. */
  aheadMs: number;
  /** For an older value, callers wait for a new read, and use the old value if the read fails. */
  forMs: number;
  /** The longest wait of a caller. For the same time after a failure, nothing is read and no caller waits. */
  waitMs: number;
};

type Reading<Value> = { work: Promise<Kept<Value>>; atMs: number };

/**
 * Reads a value again before it is too old. Concurrent callers share a read. Without any value, a caller is rejected after the
 * longest wait. `since`: a value whose read began earlier is too old. The caller must compare `atMs`, because a failed read
 * returns an old value.
 */
export const cacheValue = <Value>(
  read: () => Promise<Value>,
  { what, now, after, aheadMs, forMs, waitMs }: KeepOptions,
): ((since?: number) => Promise<Kept<Value>>) => {
  let kept: Kept<Value> | undefined;
  let reading: Reading<Value> | undefined;
  let failed: { atMs: number; error: unknown } | undefined;

  const beginRead = (): Reading<Value> => {
    const atMs = now();
    // A read that was frozen with the instance must not replace a newer value.
    const isReplacedByNewer = () => kept !== undefined && kept.atMs > atMs;
    const readAndKeep = async (): Promise<Kept<Value>> => {
      try {
        const fresh = { value: await read(), atMs };
        if (!isReplacedByNewer()) [kept, failed] = [fresh, undefined];
        return fresh;
      } catch (error) {
        if (!isReplacedByNewer()) failed = { atMs: now(), error };
        throw error;
      }
    };
    const begun = { work: readAndKeep(), atMs };
    begun.work.catch(() => undefined);
    return begun;
  };

  const isWithinLast = (atMs: number, ms: number): boolean => now() - atMs < ms;

  return async (since = -Infinity) => {
    const old = kept;
    const isGood = old !== undefined && old.atMs >= since && isWithinLast(old.atMs, forMs);
    if (isGood && isWithinLast(old.atMs, aheadMs)) return old;
    if (failed !== undefined && isWithinLast(failed.atMs, waitMs)) {
      if (old !== undefined) return old;
      throw failed.error;
    }
    // An older read was frozen with the instance, or its connection was closed.
    if (reading === undefined || reading.atMs < since || !isWithinLast(reading.atMs, waitMs)) reading = beginRead();
    if (isGood) return old;
    try {
      const fresh = await withTimeLimit(after, waitMs, reading.work);
      if (fresh !== LATE) return fresh;
    } catch (error) {
      if (old === undefined) throw error;
    }
    if (old === undefined) throw new Error(`reading ${what} got no answer within ${waitMs} ms`);
    return old;
  };
};
