import type { Push, Registered, PushChannel } from "../../core/domain/delivery/push/outcome.ts";

/** A push that is always ready, and sends like this. */
export const pushOf = (send: Push["send"]): Push => ({ send, prepare: async () => true });

/** A device that registered long before anything here was read or made. */
const EARLY: Registered = { createdAt: "2020-01-01T00:00:00.000Z", registeredAt: "2020-01-01T00:00:00.000Z" };

/** A working channel with a device, for tests that are not about it. */
export const toEarlyDevices = <Message>({ send, ...way }: PushChannel<Message>) => ({
  ...way,
  send: (message: Message, device: Registered = EARLY) => send(message, device),
});
