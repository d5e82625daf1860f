const KEPT_MAX = 50;

/** Returns a function that reads a value, and caches it by name for `keptMs`. If reading fails, returns the older value, or throws. */
export const createTimedCache = <Read>(keptMs: number) => {
  const kept = new Map<string, { at: number; read: Promise<Read> }>();
  return (name: string, read: () => Promise<Read>): Promise<Read> => {
    const before = kept.get(name);
    if (before !== undefined && Date.now() - before.at < keptMs) return before.read;
    const reading = read().catch((error: unknown) => {
      kept.delete(name);
      if (before === undefined) throw error;
      kept.set(name, { at: 0, read: before.read });
      return before.read;
    });
    kept.delete(name);
    kept.set(name, { at: Date.now(), read: reading });
    for (const [oldest] of kept) if (kept.size > KEPT_MAX) kept.delete(oldest);
    return reading;
  };
};
