import * as v from "valibot";

/** The range of a DynamoDB number. */
const NUMBER_MAX = 9.99e125;
const NUMBER_MIN = 1e-130;

export const NUMBER_KEPT = "a number of at most 38 digits between 1e-130 and 9.99e125";

/** Returns whether DynamoDB can store the number. Returns false for NaN, which replaces JSON numbers with too many digits. */
export const isStorableNumber = (value: number): boolean => {
  const size = Math.abs(value);
  return size === 0 || (size >= NUMBER_MIN && size <= NUMBER_MAX);
};

/** Returns the schema of a whole number from `min` to `max`. The default `message` states the field's name and range. */
export const wholeNumberSchema = (
  field: string,
  min: number,
  max: number,
  message = `${field} must be a whole number from ${min} to ${max}.`,
) => v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message));
