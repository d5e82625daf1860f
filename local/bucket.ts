/**
 * A token bucket, full at first: takes one token of `burst`, of which another comes every `refillMs`, and says whether
 * there was one.
 */
export const createBucket = (burst: number, refillMs: number, now: () => number) => {
  let tokens = burst;
  let refilledAt: number | undefined;
  return (): boolean => {
    const at = now();
    tokens = Math.min(burst, tokens + (at - (refilledAt ?? at)) / refillMs);
    refilledAt = at;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
};
