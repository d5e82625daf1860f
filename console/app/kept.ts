import { type Failure, failureOf } from "./failure.ts";

/* Acknowledgements that could not be sent: stored until the service gives a final answer. */

export type Acknowledgement = { userId: string; workspaceId: string; eventId: string };

const PAUSES_MS = { first: 10_000, longest: 120_000 };

/** Answers that say nothing about the request itself, besides those of a service that failed. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether the same request may do better later. Anything else that the service answers is final. */
export const mayPass = (failure: Failure): boolean =>
  failure.kind !== "refused" || failure.status >= 500 || PASSING.has(failure.status);

/** When to try again: each failure in a row doubles the pause, which lasts at least as long as the service asks for. */
export const createPace = (now: () => number, random: () => number, pauses = PAUSES_MS) => {
  let failures = 0;
  let due = 0;
  return {
    isDue: (): boolean => now() >= due,
    reset: (): void => {
      failures = 0;
      due = 0;
    },
    /** When it is due again, in milliseconds. */
    failed: (retryAfterSeconds = 0): number => {
      const pause = Math.min(pauses.first * 2 ** failures, pauses.longest);
      failures += 1;
      // Not all browsers come back at the same moment.
      due = now() + Math.max(pause * (0.5 + random() / 2), retryAfterSeconds * (1000 + 250 * random()));
      return due;
    },
  };
};
export type Pace = ReturnType<typeof createPace>;

type Keeping = {
  /** Everything stored in this browser, including other people's, as other tabs have left it. */
  read: () => Acknowledgement[];
  write: (all: Acknowledgement[]) => void;
  /** Who is signed in; undefined for nobody. */
  userId: () => string | undefined;
  /** Sends one as the person who pressed, or fails. */
  send: (one: Acknowledgement) => Promise<unknown>;
};

const isSame = (one: Acknowledgement, other: Acknowledgement): boolean =>
  one.eventId === other.eventId && one.userId === other.userId;

export const keepAll = ({ read, write }: Pick<Keeping, "read" | "write">, some: readonly Acknowledgement[]): void =>
  write([...read().filter((one) => !some.some((other) => isSame(one, other))), ...some]);

/**
 * Sends what the person who is signed in has pressed, one after the other, until one has to wait. Those that the
 * service refuses for good are dropped: the list shows the present state. Returns whether any had a final answer.
 */
export const sendKept = async ({ read, write, userId, send }: Keeping, pace: Pace): Promise<boolean> => {
  const next = (): Acknowledgement | undefined => read().find((one) => one.userId === userId());
  let isAny = false;
  for (let one = next(); one !== undefined; one = next()) {
    const sending = one;
    const failure = await send(sending).then(() => undefined, failureOf);
    if (failure !== undefined && mayPass(failure)) {
      pace.failed(failure.kind === "refused" ? failure.retryAfter : undefined);
      return isAny;
    }
    write(read().filter((other) => !isSame(sending, other)));
    isAny = true;
  }
  pace.reset();
  return isAny;
};
