let times = 0;

/** Returns the name of a time zone in a spelling that was not used before, because parsed zones are cached by name. */
export const respell = (name: string): string => {
  times += 1;
  let left = times;
  return name.replace(/[A-Za-z]/g, (letter) => {
    const isTurned = left % 2 === 1;
    left = Math.floor(left / 2);
    if (!isTurned) return letter;
    return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  });
};
