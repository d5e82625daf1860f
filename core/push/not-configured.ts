import type { PushChannel } from "../domain/delivery/push/outcome.ts";

/** Replaces a channel that the stage no longer has, for the contacts that were registered earlier. */
export const notConfigured: PushChannel<unknown> = {
  send: async () => ({ kind: "invalid", code: "WAY_NOT_CONFIGURED" }),
  prepare: async () => true,
};
