/** A fault of the input, as the API reports it. */
export type Fault = { field: string; code: string; message: string };

/** The reason why an action failed. `offline`: no answer arrived, so it is unknown whether the action took effect. */
export type Failure =
  | { kind: "offline" }
  | { kind: "signed-out" }
  | {
      kind: "refused";
      status: number;
      code: string;
      /** The API's message. */
      message: string;
      faults: readonly Fault[];
      /** The seconds after which the request may be retried. */
      retryAfter: number | undefined;
      requestId: string | undefined;
    };

/** An error that carries a failure through promises. */
export class Failed extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.kind);
    this.failure = failure;
  }
}

/** Returns the failure in a thrown error; rethrows an error of the page itself. */
export const failureOrRethrow = (error: unknown): Failure => {
  if (error instanceof Failed) return error.failure;
  throw error;
};

/** Returns the requested item; undefined if the API answers 404. */
export const undefinedIfNotFound = async <Found>(asked: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await asked;
  } catch (error) {
    const failure = failureOrRethrow(error);
    if (failure.kind === "refused" && failure.status === 404) return undefined;
    throw error;
  }
};

/** Ignores the failure of an action that is repeated later; rethrows an error of the page itself. */
export const ignoreFailed = (error: unknown): void => void failureOrRethrow(error);

/** Returns a refusal with these fields; all others are empty. */
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

/** Returns the failure for an action that the browser or the form itself refuses, with a sentence for the reader. */
export const createLocalFailure = (message: string, faults: readonly Fault[] = []): Failed =>
  createRefusal(400, { code: "not_possible", message, faults });
