/** Returned by an attempt if somebody else made a change meanwhile. */
export const AGAIN = Symbol("again");

/**
 * Retries a change while others make changes in between, at most `tries` times, and throws after that. `of` says what
 * is changed.
 */
export const attempt = async <Result>(
  {
    of,
    tries = 10,
    error = () => new Error(`${of} changed under ${tries} tries to change it`),
  }: { of: string; tries?: number; error?: () => Error },
  change: () => Promise<Result | typeof AGAIN>,
): Promise<Result> => {
  for (let round = 0; round < tries; round += 1) {
    const result = await change();
    if (result !== AGAIN) return result;
  }
  throw error();
};
