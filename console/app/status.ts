import { signal } from "@preact/signals";

/** What was done, and the request that reverses it exactly. */
export type Undoable = { said: string; undo: () => Promise<unknown> };
/** The result of an action, for the status line. */
export type Result = string | Undoable | undefined;

/** The last completed action, for the page's status line and screen readers. The page always shows the action in another place, too. */
export const status = signal("");
/** The last change that can be undone. It stays until it is undone, closed, or followed by another. */
export const undoable = signal<Undoable | undefined>(undefined);

const SHOWN_MS = 8000;
let timer: number | undefined;

export const showStatus = (result: string | Undoable): void => {
  if (typeof result !== "string") {
    undoable.value = result;
    return;
  }
  status.value = result;
  window.clearTimeout(timer);
  timer = window.setTimeout(() => {
    status.value = "";
  }, SHOWN_MS);
};
