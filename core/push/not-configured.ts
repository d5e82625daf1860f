import type { PushChannel } from "../domain/delivery/push/outcome.ts";

/** Replaces a channel that the stage no longer has, because people may have contacts for the channel from earlier. */
export const notConfigured: PushChannel<unknown> = {
  send: async () => ({ kind: "invalid", code: "WAY_NOT_CONFIGURED" }),
  prepare: async () => true,
};
