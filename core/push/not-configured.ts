import type { PushChannel } from "../domain/delivery/push/outcome.ts";

/** Used for contacts from before the stage lost the channel. */
export const notConfigured: PushChannel<unknown> = {
  send: async () => ({ kind: "invalid", code: "WAY_NOT_CONFIGURED" }),
  prepare: async () => true,
};
