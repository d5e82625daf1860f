import { signal } from "@preact/signals";

/** The last completed action, for the page's status line and screen readers. It is always shown elsewhere, too. */
export const status = signal("");

const SHOWN_MS = 8000;
let timer: number | undefined;

export const say = (text: string): void => {
  status.value = text;
  window.clearTimeout(timer);
  timer = window.setTimeout(() => {
    status.value = "";
  }, SHOWN_MS);
};
