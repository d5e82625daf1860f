/** What a number of the table holds; what JSON has beyond that would fail when it is stored. */
const NUMBER_MAX = 9.99e125;
const NUMBER_MIN = 1e-130;

export const NUMBER_KEPT = "a number of at most 38 digits between 1e-130 and 9.99e125";

/** Whether a number can be kept. One that had more digits than that was read as NaN. */
export const canKeep = (value: number): boolean => {
  const size = Math.abs(value);
  return size === 0 || (size >= NUMBER_MIN && size <= NUMBER_MAX);
};
