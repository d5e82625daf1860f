import type { PushChannel } from "../domain/delivery/push/outcome.ts";

/** For contacts that were added when the stage had the channel. */
export const notConfigured: PushChannel<unknown> = {
  send: async () => ({ kind: "invalid", code: "WAY_NOT_CONFIGURED" }),
  prepare: async () => true,
};
