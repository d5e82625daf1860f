/** The value that an attempt returns if somebody else made a change meanwhile. */
export const AGAIN = Symbol("again");

/**
 * Retries a change that fails because others made changes meanwhile. Throws after `tries` attempts. `of` names what
 * is changed, for the error.
 */
export const retryChange = async <Result>(
  {
    of,
    tries = 10,
    error = () => new Error(`${of} changed during all ${tries} attempts to write it`),
  }: { of: string; tries?: number; error?: () => Error },
  change: () => Promise<Result | typeof AGAIN>,
): Promise<Result> => {
  for (let round = 0; round < tries; round += 1) {
    const result = await change();
    if (result !== AGAIN) return result;
  }
  throw error();
};
