/** Stands in for a package that a dependency loads and we never call. */
export const nothing = undefined;
