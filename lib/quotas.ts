/** AWS's default quotas of an account. */
export const quotas = {
  /** For all functions together; new accounts often have 10. */
  lambdaConcurrency: 1_000,
  /** How many of them functions cannot reserve. */
  lambdaUnreserved: 100,
  httpApiRequests: 10_000,
  /** Write units per second of an on-demand table: the maximum, and for a new or restored table. */
  tableWrites: 40_000,
  newTableWrites: 4_000,
} as const;
