import * as v from "valibot";

/** The version of a configured item; every change raises it. An item stored without a version has version 1. */
export const Version = v.optional(v.number(), 1);

/** The versions of an item that a caller accepts (If-Match); undefined accepts any. */
export type Expected = readonly number[] | undefined;
