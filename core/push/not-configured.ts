import type { PushChannel } from "../domain/delivery/push/outcome.ts";

/** A channel that the stage does not have: a contact that was added before ends with this answer. */
export const notConfigured: PushChannel<unknown> = {
  send: async () => ({ kind: "invalid", code: "WAY_NOT_CONFIGURED" }),
  prepare: async () => true,
};
