import { signal } from "@preact/signals";

/** What was done last, for the line at the foot of the page and for screen readers. It says nothing that is nowhere else. */
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
