import { signal } from "@preact/signals";

/** The number of active silences. */
export const quiet = signal(0);
