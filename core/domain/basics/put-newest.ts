/** Puts a value into a map as its newest entry, and deletes the oldest one if there are more than `max`. */
export const putNewest = <Value>(map: Map<string, Value>, key: string, value: Value, max: number): void => {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
};
