import * as v from "valibot";

const NUL = "\u0000";

/** Text that can be stored and shown: no NUL, no lone half of a surrogate pair. `max` is in Unicode code points. */
export const text = (what: string, max: number, min = 1) =>
  v.pipe(
    v.string(`${what} must be a string.`),
    v.check((value) => !value.includes(NUL), `${what} must not contain the character NUL.`),
    v.check((value) => value.isWellFormed(), `${what} must be valid Unicode: it contains half of a surrogate pair.`),
    v.minLength(min, min === 1 ? `${what} must not be empty.` : `${what} must have at least ${min} characters.`),
    v.maxCodePoints(max, `${what} must have at most ${max} characters.`),
  );

/** Control characters for the writing direction. A name or an alert that contains one can display another text than it has. */
const DIRECTION_CONTROLS = /[\u202A-\u202E\u2066-\u2069]/g;
export const withoutDirections = (value: string): string => value.replaceAll(DIRECTION_CONTROLS, "");

/** Says that control characters for the writing direction were removed from a field. */
export const removedWarning = (field: string) => ({
  field,
  code: "removed",
  message: `${field} contained control characters for text direction, which were removed.`,
});

/** The name of something: a text without control characters for the writing direction, and not blank. */
export const nameText = (what: string, max: number) =>
  v.pipe(
    text(what, max),
    v.check((value) => value === "" || withoutDirections(value).trim() !== "", `${what} must not be blank.`),
    v.transform(withoutDirections),
  );

/**
 * A text that can be stored and shown: each NUL and each half of a surrogate pair becomes U+FFFD, and control characters
 * for the writing direction are removed.
 */
export const mended = (value: string): string => withoutDirections(value.replaceAll(NUL, "\ufffd").toWellFormed());

/** A text of which as much is kept as possible. `max` is in Unicode code points. */
export const mendedText = (what: string, max: number, min = 1) =>
  v.pipe(
    v.string(`${what} must be a string.`),
    v.transform(mended),
    v.minLength(min, `${what} must not be empty.`),
    v.maxCodePoints(max, `${what} must have at most ${max} characters.`),
  );

/** A text on one line: each line break and the blanks around it become one space. */
export const oneLine = (value: string): string => value.replaceAll(/\s*[\n\v\f\r\u0085\u2028\u2029]\s*/gu, " ").trim();

/** A text of at most the given number of code points; a longer one ends in an ellipsis. */
export const cutTo = (value: string, max: number): string => {
  // A text never has more code points than code units, so a short one need not be split.
  if (value.length <= max) return value;
  const points = Array.from(value);
  return points.length <= max ? value : `${points.slice(0, max - 1).join("")}…`;
};

const utf8 = new TextEncoder();

/** Bytes of a value as JSON in UTF-8. */
export const bytesAsJson = (value: unknown): number => utf8.encode(JSON.stringify(value)).length;
