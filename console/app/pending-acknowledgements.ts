import { type Failure, toFailureOrRethrow } from "./failure.ts";

/* The browser stores an acknowledgement until the service has accepted it or refused it for good. */

export type Acknowledgement = { userId: string; workspaceId: string; eventId: string };

const PAUSES_MS = { first: 10_000, longest: 120_000 };

/** The statuses of temporary refusals, in addition to those of server errors. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** Returns whether a later request may succeed; false if the answer is final. */
export const isRetryable = (failure: Failure): boolean =>
  failure.kind !== "refused" || failure.status >= 500 || PASSING.has(failure.status);

/** Returns a timer for retries. The pause doubles with each failure in a row, and is at least as long as the service asks. */
export const createRetryTimer = (now: () => number, random: () => number, pauses = PAUSES_MS) => {
  let failures = 0;
  let due = 0;
  return {
    isDue: (): boolean => now() >= due,
    reset: (): void => {
      failures = 0;
      due = 0;
    },
    /** Counts a failure, and returns the time of the next retry, in milliseconds. */
    failed: (retryAfterSeconds = 0): number => {
      const pause = Math.min(pauses.first * 2 ** failures, pauses.longest);
      failures += 1;
      // The pause is random, so that browsers do not retry at the same time.
      due = now() + Math.max(pause * (0.5 + random() / 2), retryAfterSeconds * (1000 + 250 * random()));
      return due;
    },
  };
};
export type RetryTimer = ReturnType<typeof createRetryTimer>;

type AcknowledgementStore = {
  /** Returns all stored acknowledgements, including those of other people and tabs. */
  read: () => Acknowledgement[];
  write: (all: Acknowledgement[]) => void;
  /** Returns the id of the signed-in person; undefined if nobody is signed in. */
  userId: () => string | undefined;
  /** Sends the acknowledgement as the person who acknowledged. Rejects if sending fails. */
  send: (one: Acknowledgement) => Promise<unknown>;
};

const isSameAcknowledgement = (acknowledgement: Acknowledgement, other: Acknowledgement): boolean =>
  acknowledgement.eventId === other.eventId && acknowledgement.userId === other.userId;

export const storeAcknowledgements = (
  { read, write }: Pick<AcknowledgementStore, "read" | "write">,
  added: readonly Acknowledgement[],
): void => write([...read().filter((one) => !added.some((other) => isSameAcknowledgement(one, other))), ...added]);

/**
 * Sends the signed-in person's acknowledgements one by one, until a request must be retried later. Drops acknowledgements that
 * are refused for good, because the list shows the current state. Returns true if at least one acknowledgement was accepted or
 * refused for good.
 */
export const sendStoredAcknowledgements = async (
  { read, write, userId, send }: AcknowledgementStore,
  retryTimer: RetryTimer,
): Promise<boolean> => {
  const findNextOwnAcknowledgement = (): Acknowledgement | undefined => read().find((one) => one.userId === userId());
  let isAny = false;
  for (let one = findNextOwnAcknowledgement(); one !== undefined; one = findNextOwnAcknowledgement()) {
    const sending = one;
    const failure = await send(sending).then(() => undefined, toFailureOrRethrow);
    if (failure !== undefined && isRetryable(failure)) {
      retryTimer.failed(failure.kind === "refused" ? failure.retryAfter : undefined);
      return isAny;
    }
    write(read().filter((other) => !isSameAcknowledgement(sending, other)));
    isAny = true;
  }
  retryTimer.reset();
  return isAny;
};
