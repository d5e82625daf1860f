/** Whether JSON.parse takes a text: what the finder of faults is held against. */
export const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
