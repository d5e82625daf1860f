import { signal } from "@preact/signals";

const query = matchMedia("(max-width: 48rem)");

/** True on a narrow page, for layouts that cannot adapt by CSS alone. */
export const narrow = signal(query.matches);
query.addEventListener("change", ({ matches }) => {
  narrow.value = matches;
});
