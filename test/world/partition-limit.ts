import { quotas } from "../../lib/quotas.ts";
import type { Throttle } from "../../local/dynamodb/engine.ts";

/** The throughput of one partition key in a second, in either billing mode. */
const UNITS_A_SECOND = { read: 3000, write: 1000 } as const;
/** A new table's limit of read units is three times its limit of write units. */
const READS_A_WRITE = 3;

/**
 * `share`: the fraction of AWS's limits that applies, so that little load reaches them. `tableWrites`: the table's write units a
 * second.
 */
export type PartitionLimit = { share?: number | undefined; tableWrites?: number | undefined };

/** Creates a table's throughput limits, which apply while `holds` is true. Each is refilled evenly, up to one second's units. */
export const createPartitionLimit = (
  now: () => number,
  holds: () => boolean,
  { share = 1, tableWrites = quotas.newTableWrites }: PartitionLimit = {},
): Throttle => {
  const left = new Map<string, { units: number; at: number }>();
  const findBucket = (key: string, unitsASecond: number) => {
    const full = share * unitsASecond;
    const bucket = left.get(key) ?? { units: full, at: now() };
    const units = Math.min(full, bucket.units + ((now() - bucket.at) / 1000) * full);
    Object.assign(bucket, { units, at: now() });
    left.set(key, bucket);
    return bucket;
  };
  const listBuckets = (pk: string, kind: "read" | "write") => [
    findBucket(`${kind} ${pk}`, UNITS_A_SECOND[kind]),
    findBucket(kind, kind === "read" ? READS_A_WRITE * tableWrites : tableWrites),
  ];
  return {
    allows: (pk, kind) => !holds() || listBuckets(pk, kind).every(({ units }) => units > 0),
    use: (pk, kind, units) => {
      if (holds()) for (const bucket of listBuckets(pk, kind)) bucket.units -= units;
    },
  };
};
