/*
 * Keeps the focus in place for readers without a pointer. When a focused row is removed, the next row gets the focus, or else the
 * page's heading.
 */

type FocusPosition = { element: Element; entry: Element | null; list: Element | null; index: number };

const listChildrenWithTag = (list: Element | null, { tagName }: Element): Element[] =>
  [...(list?.children ?? [])].filter((child) => child.tagName === tagName);

/** Returns the element with the list entry around it (null if there is none) and the entry's index in its list. */
const readFocus = (element: Element): FocusPosition => {
  const entry = element.closest("li, article");
  const list = entry?.parentElement ?? null;
  return { element, entry, list, index: entry === null ? 0 : listChildrenWithTag(list, entry).indexOf(entry) };
};

/** Returns the entry if it is still on the page. Returns for a removed entry the entry now at `index`, or else the last. */
const findNeighbour = ({ entry, list, index }: FocusPosition): Element | undefined => {
  if (entry === null || entry.isConnected) return entry ?? undefined;
  const left = list?.isConnected === true ? listChildrenWithTag(list, entry) : [];
  return left[index] ?? left.at(-1);
};

const FOCUSABLE = "[data-row], a[href], button, summary";

/** Starts to watch the page, and moves the focus whenever the focused element is removed. */
export const moveFocusOnRemoval = (): void => {
  let last: FocusPosition | undefined;
  document.addEventListener("focusin", ({ target }) => {
    last = target instanceof Element ? readFocus(target) : undefined;
  });
  new MutationObserver(() => {
    if (last === undefined || last.element.isConnected || document.activeElement !== document.body) return;
    const next = findNeighbour(last);
    const target = next?.matches(FOCUSABLE) === true ? next : next?.querySelector(FOCUSABLE);
    const found = target ?? document.querySelector("h1");
    if (found instanceof HTMLElement) found.focus();
  }).observe(document.body, { childList: true, subtree: true });
};
