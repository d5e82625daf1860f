/** AWS's default quotas of an account, and the reserved part. */
export const quotas = {
  /** Concurrent executions of all functions together. A new account often has 10. */
  lambdaConcurrency: 1_000,
  /** Of these, how many no function may reserve. */
  lambdaUnreserved: 100,
  httpApiRequests: 10_000,
  /** Write units a second of an on-demand table: at most, and when it is new or restored. */
  tableWrites: 40_000,
  newTableWrites: 4_000,
} as const;
