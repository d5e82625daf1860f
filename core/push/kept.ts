type Kept<Value> = { value: Promise<Value>; atMs: number };

/**
 * A value that is read once and kept for a while. Callers that ask while it is read share that read; after a failure
 * the next caller reads again. `renew` reads it again unless that was just done, so no caller causes endless reads.
 */
export const keep = <Value>(
  read: () => Promise<Value>,
  { now, forMs, atMostEveryMs }: { now: () => number; forMs: number; atMostEveryMs: number },
) => {
  let kept: Kept<Value> | undefined;

  const readAgain = (): Promise<Value> => {
    const fresh = { value: read(), atMs: now() };
    kept = fresh;
    fresh.value.catch(() => {
      if (kept === fresh) kept = undefined;
    });
    return fresh.value;
  };
  const youngerThan = (ms: number) => (kept !== undefined && now() - kept.atMs < ms ? kept.value : undefined);

  return {
    get: (): Promise<Value> => youngerThan(forMs) ?? readAgain(),
    renew: (): Promise<Value> => youngerThan(atMostEveryMs) ?? readAgain(),
  };
};
