import * as v from "valibot";

/** The version of something that people configure, raised by every change. It has one even if it was never stored. */
export const Version = v.optional(v.number(), 1);

/** The versions that a caller expects the thing to be at; undefined: any. */
export type Expected = readonly number[] | undefined;
