import { computed, signal, type ReadonlySignal } from "@preact/signals";
import type { Failure } from "./failure.ts";

export type Outage = {
  failure: Failure;
  /** The time at which the shown data was loaded; undefined if no data is shown. */
  shownAt: number | undefined;
  /** The time of the next retry; undefined while the request is running. */
  nextAt: number | undefined;
};
type TrackedRequest = { outage: ReadonlySignal<Outage | undefined> };

const requests = signal<ReadonlySet<TrackedRequest>>(new Set());

/** Includes the request's failures in `outage`. Returns a function that excludes the failures again. */
export const trackOutage = (request: TrackedRequest): (() => void) => {
  requests.value = new Set([...requests.peek(), request]);
  return () => {
    requests.value = new Set([...requests.peek()].filter((other) => other !== request));
  };
};

const findEarliestTime = (times: readonly (number | undefined)[]): number | undefined => {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

/** The worst failure of all requests (no network is the worst), their oldest shown data, and their next retry. */
export const outage = computed((): Outage | undefined => {
  const all = [...requests.value].flatMap((request) => request.outage.value ?? []);
  const worst = all.find(({ failure }) => failure.kind === "offline") ?? all[0];
  if (worst === undefined) return undefined;
  return {
    failure: worst.failure,
    shownAt: findEarliestTime(all.map(({ shownAt }) => shownAt)),
    nextAt: findEarliestTime(all.map(({ nextAt }) => nextAt)),
  };
});
