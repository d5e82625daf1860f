import { signal } from "@preact/signals";

/** The time after which even a page that loads nothing counts as settled. */
const AT_LATEST_MS = 5000;

/** True when the first page shows its data or a failure. Other requests wait for `isSettled`, so as not to delay the page. */
export const isSettled = signal(false);

/** Sets `isSettled`, so that work that waits for the first page may start. */
export const markSettled = (): void => {
  isSettled.value = true;
};
/** Calls `markSettled` after five seconds, in case the first page is still loading. */
export const startSettleTimer = (): void => void window.setTimeout(markSettled, AT_LATEST_MS);
