import { signal } from "@preact/signals";

/** By then, even a page that loads nothing counts as settled. */
const AT_LATEST_MS = 5000;

/**
 * Whether the first page has shown its data or a failure. Work that would delay the page on a slow connection starts only
 * afterwards.
 */
export const isSettled = signal(false);

export const markSettled = (): void => {
  isSettled.value = true;
};
export const startSettleTimer = (): void => void window.setTimeout(markSettled, AT_LATEST_MS);
