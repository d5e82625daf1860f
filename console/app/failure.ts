export type Fault = { field: string; code: string; message: string };

/** `offline`: there is no answer, so the action may or may not have taken effect. */
export type Failure =
  | { kind: "offline" }
  | { kind: "signed-out" }
  | {
      kind: "refused";
      status: number;
      code: string;
      message: string;
      faults: readonly Fault[];
      /** In seconds. */
      retryAfter: number | undefined;
      requestId: string | undefined;
    };

export class Failed extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.kind);
    this.failure = failure;
  }
}

export const failureOrRethrow = (error: unknown): Failure => {
  if (error instanceof Failed) return error.failure;
  throw error;
};

export const undefinedIfNotFound = async <Found>(asked: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await asked;
  } catch (error) {
    const failure = failureOrRethrow(error);
    if (failure.kind === "refused" && failure.status === 404) return undefined;
    throw error;
  }
};

/** For actions that are repeated later. Rethrows errors of the page itself. */
export const ignoreFailed = (error: unknown): void => void failureOrRethrow(error);

export const createRefusal = (status: number, said: Partial<Extract<Failure, { kind: "refused" }>> = {}): Failed =>
  new Failed({
    kind: "refused",
    status,
    code: "",
    message: "",
    faults: [],
    retryAfter: undefined,
    requestId: undefined,
    ...said,
  });

/** An action that the browser or the form itself refuses. */
export const createLocalFailure = (message: string, faults: readonly Fault[] = []): Failed =>
  createRefusal(400, { code: "not_possible", message, faults });
