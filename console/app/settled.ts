import { signal } from "@preact/signals";

/** The time after which a page counts as settled even if it loads nothing. */
const AT_LATEST_MS = 5000;

/**
 * Whether the first page has shown its data or a failure. Work that can wait starts only then, because it would delay the page on
 * a slow connection.
 */
export const isSettled = signal(false);

export const markSettled = (): void => {
  isSettled.value = true;
};
export const startSettleTimer = (): void => void window.setTimeout(markSettled, AT_LATEST_MS);
