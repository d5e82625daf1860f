let times = 0;

/** The name of a time zone in letters as nobody has written it yet: what is read of a zone is kept by its name. */
export const anew = (name: string): string => {
  times += 1;
  let left = times;
  return name.replace(/[A-Za-z]/g, (letter) => {
    const isTurned = left % 2 === 1;
    left = Math.floor(left / 2);
    if (!isTurned) return letter;
    return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  });
};
