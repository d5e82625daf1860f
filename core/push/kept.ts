type Kept<Value> = { value: Promise<Value>; atMs: number };

/**
 * What is read once and kept for a while. All that ask while it is read wait for the same; what failed is read again by
 * the next. `renew` reads it again unless it was read a moment ago, so that nobody can make us read without end.
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
