/** Returns a function that takes one of `burst` tokens, of which one comes back every `refillMs`; false if none is left. */
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
