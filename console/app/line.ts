import { computed, signal, type ReadonlySignal } from "@preact/signals";
import type { Failure } from "./failure.ts";

export type Outage = {
  failure: Failure;
  /** When the shown data was loaded; undefined if there is none. */
  shownAt: number | undefined;
  /** Undefined while the request is running. */
  nextAt: number | undefined;
};
type Line = { outage: ReadonlySignal<Outage | undefined> };

const lines = signal<ReadonlySet<Line>>(new Set());

/** Returns a function that removes the request. */
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

/** The worst failure (no network is the worst), the oldest shown data, and the next retry. */
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
