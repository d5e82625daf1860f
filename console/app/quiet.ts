import { signal } from "@preact/signals";

/** How many silences are in force. */
export const quiet = signal(0);
