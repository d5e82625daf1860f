import type { PushChannel } from "../domain/delivery/push/outcome.ts";

/** Represents a channel that the stage does not have. Sends to contacts that were added earlier end with this answer. */
export const notConfigured: PushChannel<unknown> = {
  send: async () => ({ kind: "invalid", code: "WAY_NOT_CONFIGURED" }),
  prepare: async () => true,
};
