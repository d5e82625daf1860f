import { signal, type ReadonlySignal } from "@preact/signals";
import { type Failure, failureOf } from "./failure.ts";

/** The state of an answer. `trouble`: the latest load failed, and `data` is from an earlier one. */
export type Loaded<Data> =
  | { kind: "loading" }
  | { kind: "failed"; failure: Failure }
  | { kind: "ready"; data: Data; trouble: Failure | undefined };

export type Resource<Data> = {
  state: ReadonlySignal<Loaded<Data>>;
  /** Loads again; the old data stays until the new answer is there. */
  refresh: () => Promise<void>;
  close: () => void;
};

const refreshers = new Set<() => void>();

/** Reloads everything on the page, because a push came or the network is back. */
export const refreshAll = (): void => {
  for (const refresh of refreshers) refresh();
};

/**
 * Loads something and keeps it fresh: every `everySeconds` while the page is visible, at once when it becomes visible
 * again, never while it is hidden. If answers overtake each other, the one asked for last counts.
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
