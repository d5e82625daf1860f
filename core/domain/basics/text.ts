import * as v from "valibot";

const NUL = "\u0000";

/** Returns the schema of a text without NUL and lone surrogates. `max` counts Unicode code points. */
export const textSchema = (field: string, max: number, min = 1) =>
  v.pipe(
    v.string(`${field} must be a string.`),
    v.check((value) => !value.includes(NUL), `${field} must not contain the character NUL.`),
    v.check((value) => value.isWellFormed(), `${field} must be valid Unicode: it contains half of a surrogate pair.`),
    v.minLength(min, min === 1 ? `${field} must not be empty.` : `${field} must have at least ${min} characters.`),
    v.maxCodePoints(max, `${field} must have at most ${max} characters.`),
  );

/** Control characters that can make a text look different from what it contains. */
const DIRECTION_CONTROLS = /[\u202A-\u202E\u2066-\u2069]/g;
export const removeDirectionMarks = (value: string): string => value.replaceAll(DIRECTION_CONTROLS, "");

export const createDirectionMarksWarning = (field: string) => ({
  field,
  code: "removed",
  message: `${field} contained control characters for text direction, which were removed.`,
});

/** Returns the schema of a name, which must not be blank or contain control characters for the writing direction. */
export const nameSchema = (field: string, max: number) =>
  v.pipe(
    textSchema(field, max),
    v.check((value) => value === "" || removeDirectionMarks(value).trim() !== "", `${field} must not be blank.`),
    v.transform(removeDirectionMarks),
  );

/** Replaces NUL and lone surrogates by U+FFFD, and removes control characters for the writing direction. */
export const repairText = (value: string): string =>
  removeDirectionMarks(value.replaceAll(NUL, "\ufffd").toWellFormed());

/** Returns the schema of a text that is repaired before its length is checked. `max` counts Unicode code points. */
export const repairedTextSchema = (field: string, max: number, min = 1) =>
  v.pipe(
    v.string(`${field} must be a string.`),
    v.transform(repairText),
    v.minLength(min, `${field} must not be empty.`),
    v.maxCodePoints(max, `${field} must have at most ${max} characters.`),
  );

/** Replaces each line break, with the blanks around it, by one space. */
export const joinLines = (value: string): string => value.replaceAll(/\s*[\n-\r\u0085\u2028\u2029]\s*/gu, " ").trim();

/** Shortens the text to at most `max` code points, with an ellipsis. */
export const shortenText = (value: string, max: number): string => {
  // A text never has more code points than code units, so a short text need not be split.
  if (value.length <= max) return value;
  const points = Array.from(value);
  return points.length <= max ? value : `${points.slice(0, max - 1).join("")}…`;
};

const utf8 = new TextEncoder();

/** Returns the size of the value's JSON in bytes of UTF-8. */
export const countJsonSize = (value: unknown): number => utf8.encode(JSON.stringify(value)).length;
