import { signal } from "@preact/signals";

/** A completed change that can be undone: its description, and the request that reverses it exactly. */
export type Undoable = { said: string; undo: () => Promise<unknown> };
/** The result of an action, for the status line. */
export type Result = string | Undoable | undefined;

/** The last completed action, for the page's status line and screen readers. The page also shows the result itself. */
export const status = signal("");
/** The last change that can be undone. It is shown until the reader undoes or closes it, or makes another change. */
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
