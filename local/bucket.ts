/** Returns a function that takes a token, or returns false if no token is left. Adds a token every `refillMs`, up to `burst`. */
export const createTokenBucket = (burst: number, refillMs: number, now: () => number) => {
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
