/** Returns whether the texts contain all words of the typed text, ignoring case. */
export const matchesAllWords = (typedText: string, texts: readonly (string | null | undefined)[]): boolean => {
  const all = texts.join(" ").toLowerCase();
  return typedText
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
};
