import * as v from "valibot";

/** Every change raises the version. An item stored without a version has version 1. */
export const Version = v.optional(v.number(), 1);

/** The versions in If-Match. Undefined accepts any version. */
export type Expected = readonly number[] | undefined;
