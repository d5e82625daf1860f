import { signal } from "@preact/signals";

export const quiet = signal(0);
