/** Returns whether JSON.parse accepts a text; this is the reference for the JSON fault finder. */
export const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
