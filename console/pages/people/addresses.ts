/** Addresses are separated by commas, spaces or line breaks. If the text contains no address, returns the whole text. */
export const parseAddresses = (typed: string): readonly string[] => {
  const found = typed.split(/[\s,;]+/).filter((part) => part !== "");
  return found.length === 0 ? [typed] : found;
};
