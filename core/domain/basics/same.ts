const listDefinedEntries = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, one]) => one !== undefined);

/** Ignores the order of fields; an undefined field is the same as an absent field. */
export const isDeepEqual = (one: unknown, other: unknown): boolean => {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const others = new Map(listDefinedEntries(other));
  const fields = listDefinedEntries(one);
  return fields.length === others.size && fields.every(([key, value]) => isDeepEqual(value, others.get(key)));
};
