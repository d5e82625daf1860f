const logged: string[] = [];

/** Notes an error that only a defect explains: stored data that contradict each other, or a TypeError not caused by `fetch`. */
export const recordDefect = (code: string, error: unknown): void => {
  if (code.endsWith(".not_reconciled") || (error instanceof TypeError && error.cause === undefined))
    logged.push(`${code}: ${String(error)}`);
};

/** Returns the defects that were logged since the last call. A test must call this if it logs a defect; otherwise it fails. */
export const takeDefects = (): string[] => logged.splice(0);
