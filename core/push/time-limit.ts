/** Runs a function after a certain time. Returns a function that cancels the timer. */
export type SetTimer = (ms: number, run: () => void) => () => void;

export const afterRealTime: SetTimer = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

export const LATE = Symbol("late");

/** Waits for work, but returns LATE if the work takes longer than the limit. Late work continues, but its result is ignored. */
export const withTimeLimit = async <T>(after: SetTimer, maxMs: number, work: Promise<T>): Promise<T | typeof LATE> => {
  const late = Promise.withResolvers<typeof LATE>();
  const cancel = after(maxMs, () => late.resolve(LATE));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    cancel();
  }
};
