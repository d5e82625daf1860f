import { signal } from "@preact/signals";
import { places } from "./navigation.ts";
import { navigate } from "./router.ts";
import { showStatus } from "./status.ts";
import { texts } from "../texts.ts";

export const keysShown = signal(false);
export const paletteShown = signal(false);

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));

/** Moves the focus down by `offset` rows (up if negative), at most to the first or last row. */
const moveRowSelection = (offset: number): void => {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  const active = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[Math.max(0, Math.min(rows.length - 1, active + offset))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
};

/** Presses the button for the key in the selected row, or else the page's button outside the rows. */
const pressButton = (key: string): void => {
  const row = document.activeElement?.closest("[data-row]");
  const button = row?.querySelector<HTMLElement>(`[data-key="${key}"]`);
  const ofPage = document.querySelector<HTMLElement>(`[data-key="${key}"]:not([data-row] *)`);
  if (button !== null && button !== undefined) button.click();
  else if (ofPage !== null) ofPage.click();
  else if (document.querySelector(`[data-key="${key}"]`) !== null) showStatus(texts.chooseFirst);
};

const actions: Readonly<Record<string, () => void>> = {
  "/": () => document.querySelector<HTMLElement>('input[type="search"]')?.focus(),
  j: () => moveRowSelection(1),
  k: () => moveRowSelection(-1),
  a: () => pressButton("a"),
  z: () => pressButton("z"),
  "?": () => {
    keysShown.value = true;
  },
};

/** The time after `g` in which the key of a page is accepted. */
const GO_MS = 1500;

/**
 * Starts to handle keys: `/` searches, `j` and `k` select rows, `a` acknowledges, `z` undoes, `?` shows the keys, `g` and a
 * page's key open the page. The keys do nothing while the reader types. Ctrl+K (⌘K on a Mac) always opens and closes the page
 * finder.
 */
export const startKeyboard = (): void => {
  let goes = -GO_MS;
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
      if (document.querySelector("dialog[open]") !== null && !paletteShown.peek()) return;
      event.preventDefault();
      paletteShown.value = !paletteShown.peek();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (document.querySelector("dialog[open]") !== null) return;
    const place = event.timeStamp - goes < GO_MS ? places.find(({ key }) => key === event.key) : undefined;
    goes = place === undefined && event.key === "g" ? event.timeStamp : -GO_MS;
    const run = place === undefined ? actions[event.key] : () => navigate(place.link[0]);
    if (run === undefined) return;
    event.preventDefault();
    run();
  });
};
