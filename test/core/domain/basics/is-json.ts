/** Whether JSON.parse accepts a text: the reference for finding faults. */
export const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
