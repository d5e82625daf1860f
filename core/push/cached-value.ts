import { LATE, withTimeLimit, type After } from "./time-limit.ts";

/** `atMs`: when the read began. */
export type Kept<Value> = { value: Value; atMs: number };

export type KeepOptions = {
  /** For error messages. */
  what: string;
  now: () => number;
  after: After;
  /** Older values are read again in the background, while callers still use them. */
  aheadMs: number;
  /** For still older values, callers wait for a new read. If it fails, they use the old value. */
  forMs: number;
  /** The maximum time that a caller waits. After a failure, nothing is read and nobody waits for the same time. */
  waitMs: number;
};

type Reading<Value> = { work: Promise<Kept<Value>>; atMs: number };

/**
 * Reads a value again before it gets too old. Concurrent callers share a read. If there is no value, rejects callers after the
 * maximum wait. `since`: values read before this time are too old. Callers must compare `atMs`, because a failed read returns the
 * old value.
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
    // Otherwise, the running read was frozen with the instance, or its connection was closed.
    if (reading === undefined || reading.atMs < since || !isWithinLast(reading.atMs, waitMs)) reading = beginRead();
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
