import { signal } from "@preact/signals";

/** What a push might not reach: this browser, if it is a device no longer, or a device not heard from for 30 days. */
export type Unreached = { kind: "here" } | { kind: "silent"; id: string; name: string | null; isWeb: boolean };

export const unreached = signal<readonly Unreached[]>([]);
