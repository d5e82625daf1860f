import { signal } from "@preact/signals";

/** A page that loads nothing counts as settled after this time. */
const AT_LATEST_MS = 5000;

/**
 * Whether the first page has shown its data, or why there is none. Work that can wait starts after that, because
 * it would delay the page on a slow connection.
 */
export const isSettled = signal(false);

export const markSettled = (): void => {
  isSettled.value = true;
};
export const startSettling = (): void => void window.setTimeout(markSettled, AT_LATEST_MS);
