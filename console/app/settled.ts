import { signal } from "@preact/signals";

/** A page that loads nothing is settled after so long. */
const AT_LATEST_MS = 5000;

/**
 * Whether the first page has shown what it found, or why it found nothing. What can wait does so until then: on a slow line it
 * would be in the way of the page.
 */
export const isSettled = signal(false);

export const settle = (): void => {
  isSettled.value = true;
};
export const startSettling = (): void => void window.setTimeout(settle, AT_LATEST_MS);
