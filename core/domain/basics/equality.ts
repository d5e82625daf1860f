const listDefinedEntries = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, one]) => one !== undefined);

/** Compares values with all their fields, in any order; an undefined field is the same as an absent field. */
export const isDeepEqual = (first: unknown, second: unknown): boolean => {
  if (first === second) return true;
  if (typeof first !== "object" || typeof second !== "object" || first === null || second === null) return false;
  if (Array.isArray(first) !== Array.isArray(second)) return false;
  const others = new Map(listDefinedEntries(second));
  const fields = listDefinedEntries(first);
  return fields.length === others.size && fields.every(([key, value]) => isDeepEqual(value, others.get(key)));
};
