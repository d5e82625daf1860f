export const AGAIN = Symbol("again");

/** Returns the first result of `change` that is not `AGAIN`. Throws after `tries` calls. `item`: the item's name in the error. */
export const retryChange = async <Result>(
  {
    item,
    tries = 10,
    error = () => new Error(`${item} changed during all ${tries} attempts to write it`),
  }: { item: string; tries?: number; error?: () => Error },
  change: () => Promise<Result | typeof AGAIN>,
): Promise<Result> => {
  for (let round = 0; round < tries; round += 1) {
    const result = await change();
    if (result !== AGAIN) return result;
  }
  throw error();
};
