import { signal } from "@preact/signals";

/** What a push might not reach: this browser, which was a device, or a device that was not heard of for 30 days. */
export type Unreached = { kind: "here" } | { kind: "silent"; id: string; name: string | null; isWeb: boolean };

export const unreached = signal<readonly Unreached[]>([]);
