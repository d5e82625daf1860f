/** AWS's default quotas of an account. */
export const quotas = {
  /** The concurrency of all functions together; new accounts often have 10. */
  lambdaConcurrency: 1_000,
  /** The part of `lambdaConcurrency` that functions cannot reserve. */
  lambdaUnreserved: 100,
  httpApiRequests: 10_000,
  /** The maximum write units per second of an on-demand table. */
  tableWrites: 40_000,
  /** The write units per second of a new or restored table. */
  newTableWrites: 4_000,
} as const;
