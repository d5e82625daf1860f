/** Replaces a package that a dependency loads but never calls. */
export const nothing = undefined;
