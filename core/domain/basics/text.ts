import * as v from "valibot";

const NUL = "\u0000";

/** Text that can be stored and shown: no NUL, no lone half of a surrogate pair. `max` is in Unicode code points. */
export const text = (what: string, max: number, min = 1) =>
  v.pipe(
    v.string(`${what} must be a string.`),
    v.check((value) => !value.includes(NUL), `${what} must not hold the character NUL.`),
    v.check((value) => value.isWellFormed(), `${what} must be well-formed Unicode: it holds half of a surrogate pair.`),
    v.minLength(min, min === 1 ? `${what} must not be empty.` : `${what} must have at least ${min} characters.`),
    v.maxCodePoints(max, `${what} must have at most ${max} characters.`),
  );

const utf8 = new TextEncoder();

/** Bytes of a value as JSON in UTF-8. */
export const bytesAsJson = (value: unknown): number => utf8.encode(JSON.stringify(value)).length;
