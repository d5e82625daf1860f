/** Stores the value as the newest entry. Deletes the oldest entry if the map has more than `maxSize` entries. */
export const putAndEvictOldest = <Value>(map: Map<string, Value>, key: string, value: Value, maxSize: number): void => {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maxSize && oldest !== undefined) map.delete(oldest);
};
