/* Simulates events that arrive faster than one DynamoDB item can be written. */

const WRITES_A_SECOND = 1000;
const TRIES = 3;
/** The SDK's maximum pause after the first refusal; it doubles with each attempt. */
const PAUSE_MS = 500;
const SECONDS = 60;

type Attempt = { at: number; item: number; began: number; tries: number };

/** Inserts an attempt into a list that is sorted by time. A list is fast enough, because few attempts are in progress. */
const insertByTime = (queue: Attempt[], attempt: Attempt): void => {
  let low = 0;
  let high = queue.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((queue[middle]?.at ?? 0) <= attempt.at) low = middle + 1;
    else high = middle;
  }
  queue.splice(low, 0, attempt);
};

export type Admission = { rate: number; items: number; admitted: number; p50Ms: number; p99Ms: number };

/** Simulates a minute of `rate` events per second of one workspace, whose counters are spread over `items` items of the table. */
export const simulateAdmission = (rate: number, items: number, random: () => number): Admission => {
  const units = Array.from({ length: items }, () => ({ left: WRITES_A_SECOND, at: 0 }));
  const waits: number[] = [];
  const retries: Attempt[] = [];
  let arrivals = 0;
  let nextArrival = 0;
  /** Admits an event if its item can be written now. An event that is not admitted is retried, except after the last attempt. */
  const tryToAdmit = ({ at, item, began, tries }: Attempt): void => {
    const bucket = units[item];
    if (bucket === undefined) return;
    bucket.left = Math.min(WRITES_A_SECOND, bucket.left + ((at - bucket.at) / 1000) * WRITES_A_SECOND);
    bucket.at = at;
    if (bucket.left >= 1) {
      bucket.left -= 1;
      waits.push(at - began);
    } else if (tries < TRIES) {
      const pause = random() * PAUSE_MS * 2 ** (tries - 1);
      insertByTime(retries, { at: at + pause, item, began, tries: tries + 1 });
    }
  };
  while (nextArrival < SECONDS * 1000 || retries.length > 0) {
    const [retry] = retries;
    if (retry !== undefined && retry.at <= nextArrival) {
      retries.shift();
      tryToAdmit(retry);
    } else if (nextArrival < SECONDS * 1000) {
      arrivals += 1;
      tryToAdmit({ at: nextArrival, item: Math.floor(random() * items), began: nextArrival, tries: 1 });
      nextArrival += (-Math.log(1 - random()) / rate) * 1000;
    } else nextArrival = Infinity;
  }
  waits.sort((a, b) => a - b);
  const findWaitMs = (quantile: number): number =>
    waits[Math.min(waits.length - 1, Math.floor(quantile * waits.length))] ?? Number.NaN;
  return { rate, items, admitted: waits.length / arrivals, p50Ms: findWaitMs(0.5), p99Ms: findWaitMs(0.99) };
};
