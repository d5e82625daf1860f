import { signal } from "@preact/signals";

/**
 * Devices that a push might not reach: this browser, if it is not a device any more; a device not seen for 30 days;
 * one that must register again.
 */
export type Unreached =
  | { kind: "here" }
  | { kind: "silent" | "renew"; id: string; name: string | null; isWeb: boolean };

export const unreached = signal<readonly Unreached[]>([]);
