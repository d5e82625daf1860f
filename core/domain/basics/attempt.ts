/** What an attempt gives if the change of somebody else came between. */
export const AGAIN = Symbol("again");

/**
 * Attempts a change until nobody else's comes between, `tries` times at most, and throws after that. `of` says what is
 * changed.
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
