import { signal } from "@preact/signals";

/** `here`: this browser is no longer a device. `silent`: not seen for 30 days. `renew`: the device must register anew. */
export type UnreachedDevice =
  | { kind: "here" }
  | { kind: "silent" | "renew"; id: string; name: string | null; isWeb: boolean };

export const unreached = signal<readonly UnreachedDevice[]>([]);
