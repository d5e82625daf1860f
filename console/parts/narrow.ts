import { signal } from "@preact/signals";

const query = matchMedia("(max-width: 48rem)");

/** Whether the page is as narrow as a phone's: layouts that cannot adapt by CSS are replaced. */
export const narrow = signal(query.matches);
query.addEventListener("change", ({ matches }) => {
  narrow.value = matches;
});
