/** Addresses are separated by commas, spaces or lines; without an address, returns the text itself. */
export const parseAddresses = (typed: string): readonly string[] => {
  const found = typed.split(/[\s,;]+/).filter((part) => part !== "");
  return found.length === 0 ? [typed] : found;
};
