/** Returns the addresses in a text that separates them by commas, spaces or lines; without an address, the text itself. */
export const parseAddresses = (typed: string): readonly string[] => {
  const found = typed.split(/[\s,;]+/).filter((part) => part !== "");
  return found.length === 0 ? [typed] : found;
};
