import type { PushChannel } from "../domain/delivery/push/outcome.ts";

/** The channel for contacts of a channel that the stage had earlier but no longer has. */
export const notConfigured: PushChannel<unknown> = {
  send: async () => ({ kind: "invalid", code: "WAY_NOT_CONFIGURED" }),
  prepare: async () => true,
};
