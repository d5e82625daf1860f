import { signal, type ReadonlySignal } from "@preact/signals";
import { type Failure, toFailureOrRethrow } from "./failure.ts";
import { createRetryTimer, isRetryable } from "./pending-acknowledgements.ts";
import { trackOutage, type Outage } from "./outage.ts";

/** `trouble`: the failure of the latest load, if `data` is from an earlier load. */
export type Loaded<Data> =
  | { kind: "loading" }
  | { kind: "failed"; failure: Failure }
  | { kind: "ready"; data: Data; trouble: Failure | undefined };

export type Resource<Data> = {
  state: ReadonlySignal<Loaded<Data>>;
  /** Aborts a running request. The old data is shown until the new answer arrives. */
  refresh: () => Promise<void>;
  close: () => void;
};

/** Pauses between retries while the service does not answer. */
const PAUSES_MS = { first: 5000, longest: 60_000 };

/** Returns whether a retry may succeed without a new sign-in. */
export const isOutage = (failure: Failure): boolean => failure.kind !== "signed-out" && isRetryable(failure);

const refreshers = new Set<(anew: boolean) => void>();

/** Refreshes all resources, for example when a push arrives. If a load is running, another load follows. */
export const refreshAll = (): void => {
  for (const refresh of refreshers) refresh(false);
};

/** Refreshes all resources when the network is back, or when the reader asks. Aborts running requests. */
export const tryAgainNow = (): void => {
  for (const refresh of refreshers) refresh(true);
};

const isPageVisible = (): boolean => document.visibilityState === "visible";

/**
 * Returns a resource that loads data at once, `everySeconds` after each answer, and when the page becomes visible. A hidden page
 * loads nothing. Sends one request at a time, so that a slow service does not get more requests. If the service does not answer,
 * retries after growing pauses.
 */
export const createResource = <Data>(
  load: (signal: AbortSignal) => Promise<Data>,
  everySeconds?: number,
): Resource<Data> => {
  const state = signal<Loaded<Data>>({ kind: "loading" });
  const outage = signal<Outage | undefined>(undefined);
  const pace = createRetryTimer(Date.now, Math.random, PAUSES_MS);
  const leaveLine = trackOutage({ outage });
  let flying: AbortController | undefined;
  let isAskedMeanwhile = false;
  let timer: number | undefined;
  let shownAt: number | undefined;

  const scheduleRefresh = (afterMs: number | undefined): void => {
    window.clearTimeout(timer);
    if (afterMs !== undefined) timer = window.setTimeout(refreshIfVisible, afterMs);
  };
  const showData = (data: Data): void => {
    shownAt = Date.now();
    pace.reset();
    outage.value = undefined;
    state.value = { kind: "ready", data, trouble: undefined };
    scheduleRefresh(everySeconds === undefined ? undefined : everySeconds * 1000);
  };
  const showFailure = (failure: Failure): void => {
    const before = state.peek();
    state.value = before.kind === "ready" ? { ...before, trouble: failure } : { kind: "failed", failure };
    if (isOutage(failure)) {
      const nextAt = pace.failed(failure.kind === "refused" ? failure.retryAfter : undefined);
      outage.value = { failure, shownAt, nextAt };
      scheduleRefresh(nextAt - Date.now());
    } else {
      outage.value = undefined;
      scheduleRefresh(everySeconds === undefined ? undefined : everySeconds * 1000);
    }
  };
  const refresh = async (): Promise<void> => {
    flying?.abort();
    const mine = new AbortController();
    flying = mine;
    isAskedMeanwhile = false;
    scheduleRefresh(undefined);
    const before = outage.peek();
    if (before !== undefined) outage.value = { ...before, nextAt: undefined };
    try {
      const data = await load(mine.signal);
      if (flying === mine) showData(data);
    } catch (error) {
      const failure = toFailureOrRethrow(error);
      if (flying === mine) showFailure(failure);
    }
    if (flying !== mine) return;
    flying = undefined;
    if (isAskedMeanwhile) refreshIfVisible();
  };
  function refreshIfVisible(): void {
    if (isPageVisible() && flying === undefined) void refresh();
  }
  const requestRefresh = (shouldAbort: boolean): void => {
    if (shouldAbort && isPageVisible()) void refresh();
    else if (flying === undefined) refreshIfVisible();
    else isAskedMeanwhile = true;
  };
  const handleVisibilityChange = (): void => {
    if (everySeconds !== undefined || outage.peek() !== undefined) refreshIfVisible();
  };
  document.addEventListener("visibilitychange", handleVisibilityChange);
  refreshers.add(requestRefresh);
  void refresh();
  return {
    state,
    refresh,
    close: () => {
      flying?.abort();
      flying = undefined;
      leaveLine();
      refreshers.delete(requestRefresh);
      window.clearTimeout(timer);
      document.removeEventListener("visibilitychange", handleVisibilityChange);
    },
  };
};
