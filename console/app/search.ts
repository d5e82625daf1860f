/** Ignores case. */
export const matchesAllWords = (typed: string, texts: readonly (string | null | undefined)[]): boolean => {
  const all = texts.join(" ").toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
};
