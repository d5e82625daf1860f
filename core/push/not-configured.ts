import type { PushChannel } from "../domain/delivery/push/outcome.ts";

/** A channel that the stage does not have. Its outcome applies to contacts that were added earlier. */
export const notConfigured: PushChannel<unknown> = {
  send: async () => ({ kind: "invalid", code: "WAY_NOT_CONFIGURED" }),
  prepare: async () => true,
};
