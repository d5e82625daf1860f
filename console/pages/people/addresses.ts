/** Returns the addresses in a typed or pasted text, with commas, spaces or lines between them; without any, the text itself. */
export const parseAddresses = (typed: string): readonly string[] => {
  const found = typed.split(/[\s,;]+/).filter((part) => part !== "");
  return found.length === 0 ? [typed] : found;
};
