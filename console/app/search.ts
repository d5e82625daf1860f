/** Whether every word that was typed is in one of some texts, in either case. */
export const fitsWords = (typed: string, texts: readonly (string | null | undefined)[]): boolean => {
  const all = texts.join(" ").toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
};
