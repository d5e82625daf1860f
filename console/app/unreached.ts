import { signal } from "@preact/signals";

/**
 * A device that a push might not reach. `here`: this browser, which is no longer a device. `silent`: a device without contact for
 * 30 days. `renew`: a device that must register again.
 */
export type Unreached =
  | { kind: "here" }
  | { kind: "silent" | "renew"; id: string; name: string | null; isWeb: boolean };

export const unreached = signal<readonly Unreached[]>([]);
