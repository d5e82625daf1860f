/** Replaces a package that is loaded but never called. */
export const nothing = undefined;
