import * as v from "valibot";

/** The version of an item that people configure, raised by every change. It has one even if it was never stored. */
export const Version = v.optional(v.number(), 1);

/** The versions that a caller expects of an item; undefined: any. */
export type Expected = readonly number[] | undefined;
