/** Creates a full token bucket with `burst` tokens that gains a token every `refillMs`. */
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
