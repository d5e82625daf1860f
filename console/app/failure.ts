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
      /** The pause that the service asks for before a retry, in seconds. */
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

export const toFailureOrRethrow = (error: unknown): Failure => {
  if (error instanceof Failed) return error.failure;
  throw error;
};

export const undefinedIfNotFound = async <Found>(request: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await request;
  } catch (error) {
    const failure = toFailureOrRethrow(error);
    if (failure.kind === "refused" && failure.status === 404) return undefined;
    throw error;
  }
};

/** Ignores the `Failed` of an action that is repeated later. Rethrows other errors. */
export const ignoreFailed = (error: unknown): void => void toFailureOrRethrow(error);

export const createRefusal = (status: number, details: Partial<Extract<Failure, { kind: "refused" }>> = {}): Failed =>
  new Failed({
    kind: "refused",
    status,
    code: "",
    message: "",
    faults: [],
    retryAfter: undefined,
    requestId: undefined,
    ...details,
  });

/** Creates the failure of an action that the browser or the form itself refuses. */
export const createLocalFailure = (message: string, faults: readonly Fault[] = []): Failed =>
  createRefusal(400, { code: "not_possible", message, faults });
