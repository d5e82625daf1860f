import { computed, signal, type ReadonlySignal } from "@preact/signals";
import type { Failure } from "./failure.ts";

/* The state of the connection to the service, from all requests that are refreshed. */

/** While something gets no answer: why, and the times in milliseconds. */
export type Outage = {
  failure: Failure;
  /** When the shown data was loaded; undefined: nothing of it is shown. */
  shownAt: number | undefined;
  /** When it is retried; undefined: a request is running. */
  nextAt: number | undefined;
};
type Line = { outage: ReadonlySignal<Outage | undefined> };

const lines = signal<ReadonlySet<Line>>(new Set());

/** Counts one more thing that is kept fresh; the answer takes it out again. */
export const joinLine = (line: Line): (() => void) => {
  lines.value = new Set([...lines.peek(), line]);
  return () => {
    lines.value = new Set([...lines.peek()].filter((other) => other !== line));
  };
};

const least = (times: readonly (number | undefined)[]): number | undefined => {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

/** The worst state of all requests: no network before a refusing service, the oldest shown data, the next try. */
export const outage = computed((): Outage | undefined => {
  const all = [...lines.value].flatMap((line) => line.outage.value ?? []);
  const worst = all.find(({ failure }) => failure.kind === "offline") ?? all[0];
  if (worst === undefined) return undefined;
  return {
    failure: worst.failure,
    shownAt: least(all.map(({ shownAt }) => shownAt)),
    nextAt: least(all.map(({ nextAt }) => nextAt)),
  };
});
