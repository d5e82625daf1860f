import { signal } from "@preact/signals";

/** `here`: this browser is no longer a device. `silent`: the device was not seen for 30 days. `renew`: it must register again. */
export type Unreached =
  | { kind: "here" }
  | { kind: "silent" | "renew"; id: string; name: string | null; isWeb: boolean };

export const unreached = signal<readonly Unreached[]>([]);
