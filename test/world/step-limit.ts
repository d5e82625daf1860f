/** The limit of steps at one time of the clock, which no test reaches. */
const STEPS_MAX = 10_000;
/** Endless loops mostly repeat a write that is refused: with this weight, they reach the limit within a second. */
export const REFUSED_STEPS = 20;

/** Returns a function that counts steps, and throws if too many of them have the same `turn`, such as the clock's time. */
export const createStepLimit = (turn: () => number): ((steps?: number) => void) => {
  let last = Number.NaN;
  let count = 0;
  return (steps = 1) => {
    const current = turn();
    count = current === last ? count + steps : steps;
    last = current;
    if (count > STEPS_MAX) throw new Error("Too many steps while the clock stood still: is there an endless loop?");
  };
};
