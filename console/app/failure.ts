/** One fault in the input, as the API names it. */
export type Fault = { field: string; code: string; message: string };

/** Why something could not be done. `offline`: no answer came, so nobody knows whether it was done. */
export type Failure =
  | { kind: "offline" }
  | { kind: "signed-out" }
  | {
      kind: "refused";
      status: number;
      code: string;
      /** The API's own sentence. */
      message: string;
      faults: readonly Fault[];
      /** Seconds after which it may be tried again. */
      retryAfter: number | undefined;
      requestId: string | undefined;
    };

/** Carries a failure through promises. */
export class Failed extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.kind);
    this.failure = failure;
  }
}

/** The failure in what was thrown; an error of the page itself is thrown again. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof Failed) return error.failure;
  throw error;
};

/** The requested item; undefined if it does not exist, which the API answers with 404. */
export const ifFound = async <Found>(asked: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await asked;
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind === "refused" && failure.status === 404) return undefined;
    throw error;
  }
};

/** For actions that are repeated later, so nobody needs to know why they failed. */
export const ignoreFailed = (error: unknown): void => void failureOf(error);

/** A refusal that says no more than this. */
export const refusal = (status: number, said: Partial<Extract<Failure, { kind: "refused" }>> = {}): Failed =>
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

/** Something that the browser or the form itself refuses, as a sentence for the reader, and at which of its fields. */
export const notPossible = (message: string, faults: readonly Fault[] = []): Failed =>
  refusal(400, { code: "not_possible", message, faults });
