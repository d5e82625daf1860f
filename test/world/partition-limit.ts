import type { Throttle } from "../../local/dynamodb/engine.ts";

/** What one partition key can take in a second, in either billing mode. */
const UNITS_A_SECOND = { read: 3000, write: 1000 } as const;

/**
 * Limits every partition key to a second's worth of units, refilled over each second, as long as `holds` is true.
 * `share`: how much of a second's worth, for a test with as little load.
 */
export const createPartitionLimit = (now: () => number, holds: () => boolean, share = 1): Throttle => {
  const left = new Map<string, { units: number; at: number }>();
  const bucketOf = (pk: string, kind: "read" | "write") => {
    const key = `${kind} ${pk}`;
    const full = share * UNITS_A_SECOND[kind];
    const bucket = left.get(key) ?? { units: full, at: now() };
    const units = Math.min(full, bucket.units + ((now() - bucket.at) / 1000) * full);
    Object.assign(bucket, { units, at: now() });
    left.set(key, bucket);
    return bucket;
  };
  return {
    allows: (pk, kind) => !holds() || bucketOf(pk, kind).units > 0,
    use: (pk, kind, units) => {
      if (holds()) bucketOf(pk, kind).units -= units;
    },
  };
};
