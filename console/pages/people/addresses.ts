/** Splits a text at commas, semicolons, spaces and line breaks. If nothing else is in the text, returns the whole text. */
export const parseAddresses = (typed: string): readonly string[] => {
  const found = typed.split(/[\s,;]+/).filter((part) => part !== "");
  return found.length === 0 ? [typed] : found;
};
