import { signal, type ReadonlySignal } from "@preact/signals";
import { type Failure, failureOf } from "./failure.ts";

/** What an answer is made of. `trouble`: the last look failed, and `data` is what an earlier one found. */
export type Loaded<Data> =
  | { kind: "loading" }
  | { kind: "failed"; failure: Failure }
  | { kind: "ready"; data: Data; trouble: Failure | undefined };

export type Resource<Data> = {
  state: ReadonlySignal<Loaded<Data>>;
  /** Looks again; what was found stays until the new answer is there. */
  refresh: () => Promise<void>;
  close: () => void;
};

const refreshers = new Set<() => void>();

/** Everything on the page looks again: a push came, or the network is back. */
export const refreshAll = (): void => {
  for (const refresh of refreshers) refresh();
};

/**
 * Loads something and keeps it fresh: every so many seconds while the page is visible, at once when it becomes visible again,
 * never while it is hidden. Of answers that overtake each other the last one asked for counts.
 */
export const createResource = <Data>(load: () => Promise<Data>, everySeconds?: number): Resource<Data> => {
  const state = signal<Loaded<Data>>({ kind: "loading" });
  let asked = 0;
  let closed = false;
  const refresh = async (): Promise<void> => {
    asked += 1;
    const mine = asked;
    const settle = (next: Loaded<Data>): void => {
      if (mine === asked && !closed) state.value = next;
    };
    try {
      settle({ kind: "ready", data: await load(), trouble: undefined });
    } catch (error) {
      const failure = failureOf(error);
      const before = state.peek();
      settle(before.kind === "ready" ? { ...before, trouble: failure } : { kind: "failed", failure });
    }
  };
  const look = (): void => {
    if (document.visibilityState === "visible") void refresh();
  };
  const timer = everySeconds === undefined ? undefined : window.setInterval(look, everySeconds * 1000);
  if (everySeconds !== undefined) document.addEventListener("visibilitychange", look);
  refreshers.add(look);
  void refresh();
  return {
    state,
    refresh,
    close: () => {
      closed = true;
      refreshers.delete(look);
      window.clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    },
  };
};
