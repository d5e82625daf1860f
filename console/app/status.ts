import { signal } from "@preact/signals";

/** What was done last, for the line at the foot of the page and for screen readers. It says nothing that is nowhere else. */
export const status = signal("");

export const say = (text: string): void => {
  status.value = text;
};
