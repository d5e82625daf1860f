import { signal } from "@preact/signals";

/**
 * What a push might not reach: this browser, if it is a device no longer; a device not heard from for 30 days; one that
 * must be registered anew.
 */
export type Unreached =
  | { kind: "here" }
  | { kind: "silent" | "renew"; id: string; name: string | null; isWeb: boolean };

export const unreached = signal<readonly Unreached[]>([]);
