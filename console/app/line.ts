import { computed, signal, type ReadonlySignal } from "@preact/signals";
import type { Failure } from "./failure.ts";

/* The state of the connection to the service, over all requests that are refreshed. */

/** An outage: the failure of the requests, and times in milliseconds. */
export type Outage = {
  failure: Failure;
  /** The time at which the shown data was loaded; undefined if none is shown. */
  shownAt: number | undefined;
  /** The time of the next retry; undefined while the request is running. */
  nextAt: number | undefined;
};
type Line = { outage: ReadonlySignal<Outage | undefined> };

const lines = signal<ReadonlySet<Line>>(new Set());

/** Adds a refreshed request to the connection state. Returns a function that removes the request. */
export const trackConnection = (line: Line): (() => void) => {
  lines.value = new Set([...lines.peek(), line]);
  return () => {
    lines.value = new Set([...lines.peek()].filter((other) => other !== line));
  };
};

const earliestTime = (times: readonly (number | undefined)[]): number | undefined => {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

/** The outage over all requests: the worst failure (no network is worst), the oldest shown data, and the next retry. */
export const outage = computed((): Outage | undefined => {
  const all = [...lines.value].flatMap((line) => line.outage.value ?? []);
  const worst = all.find(({ failure }) => failure.kind === "offline") ?? all[0];
  if (worst === undefined) return undefined;
  return {
    failure: worst.failure,
    shownAt: earliestTime(all.map(({ shownAt }) => shownAt)),
    nextAt: earliestTime(all.map(({ nextAt }) => nextAt)),
  };
});
