const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** How many typing errors turn one text into the other: an extra, missing or wrong letter, or two letters swapped. */
const typos = (one: string, other: string): number => {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      let best = Math.min(
        (next[column - 1] ?? 0) + 1,
        (last[column] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        best = Math.min(best, (before[column - 2] ?? 0) + 1);
      next.push(best);
    }
    before = last;
    last = next;
  }
  return last[other.length] ?? 0;
};

/** A longer name is not taken for a typing error. */
const NAME_MAX_CHARACTERS = 64;

/** The name that was probably meant: case and separators do not count, and up to one letter in three may be wrong. */
export const nearest = (written: string, known: readonly string[]): string | undefined => {
  if (written.length > NAME_MAX_CHARACTERS) return undefined;
  const wanted = plain(written);
  let found: string | undefined;
  let least = Math.floor(wanted.length / 3) + 1;
  for (const name of known) {
    const distance = typos(wanted, plain(name));
    if (distance < least) [found, least] = [name, distance];
  }
  return found;
};
