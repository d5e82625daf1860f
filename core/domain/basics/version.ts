import * as v from "valibot";

/** Items stored without a version have version 1. */
export const Version = v.optional(v.number(), 1);

/** The versions from If-Match. If undefined, any version is accepted. */
export type IfMatch = readonly number[] | undefined;
