const logged: string[] = [];

/** Notes a logged error without an outside cause: stored data that do not add up, or a TypeError that is not of a request. */
export const noteDefect = (code: string, error: unknown): void => {
  if (code.endsWith(".not_reconciled") || (error instanceof TypeError && error.cause === undefined))
    logged.push(`${code}: ${String(error)}`);
};

/** Returns the defects that were logged since the last call. A test fails if it logs a defect and does not take it. */
export const takeDefects = (): string[] => logged.splice(0);
