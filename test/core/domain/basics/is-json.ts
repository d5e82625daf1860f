/** Returns whether JSON.parse accepts a text, which is the reference for finding faults. */
export const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
