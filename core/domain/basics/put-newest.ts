export const putAndEvictOldest = <Value>(map: Map<string, Value>, key: string, value: Value, max: number): void => {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
};
