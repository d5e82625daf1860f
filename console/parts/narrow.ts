import { signal } from "@preact/signals";

const query = matchMedia("(max-width: 48rem)");

/** Whether the page is as narrow as a phone's: where a layout cannot follow by itself, another takes its place. */
export const narrow = signal(query.matches);
query.addEventListener("change", ({ matches }) => {
  narrow.value = matches;
});
