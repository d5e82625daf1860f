/** What an attempt gives if the change of somebody else came between. */
export const AGAIN = Symbol("again");

/**
 * Attempts a change until nobody else's comes between, `tries` times at most. `what` is named by the error that is thrown
 * after that; `error` gives another one.
 */
export const attempt = async <Result>(
  what: string,
  change: () => Promise<Result | typeof AGAIN>,
  { tries = 10, error = () => new Error(`${what} changed under ${tries} tries to change it`) } = {},
): Promise<Result> => {
  for (let round = 0; round < tries; round += 1) {
    const result = await change();
    if (result !== AGAIN) return result;
  }
  throw error();
};
