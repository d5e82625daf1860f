import { signal } from "@preact/signals";

export type Undoable = { message: string; undo: () => Promise<unknown> };
export type ActionResult = string | Undoable | undefined;

/** The last completed action, for the status line and screen readers. */
export const status = signal("");
/** The last change that can be undone, shown until the reader undoes or closes it, or makes another change. */
export const undoable = signal<Undoable | undefined>(undefined);

const SHOWN_MS = 8000;
let timer: number | undefined;

/** Shows a result for a limited time, or offers to undo a change. */
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
