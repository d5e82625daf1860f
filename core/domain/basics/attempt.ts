export const AGAIN = Symbol("again");

/** Repeats `change` while it returns `AGAIN`, then returns its result. Throws after `tries`; the error says that `of` changed. */
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
