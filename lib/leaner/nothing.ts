/** Replaces a package that a dependency loads and that is never called. */
export const nothing = undefined;
