import type { Push, DeviceTimes, PushChannel } from "../../core/domain/delivery/push/outcome.ts";

export const toPush = (send: Push["send"]): Push => ({ send, prepare: async () => true });

/** The times of a device that was registered long before any test's credentials were created. */
const EARLY: DeviceTimes = { createdAt: "2020-01-01T00:00:00.000Z", registeredAt: "2020-01-01T00:00:00.000Z" };

/** Sends to devices that were registered early, for tests that are not about registration times. */
export const toEarlyDevices = <Message>({ send, ...way }: PushChannel<Message>) => ({
  ...way,
  send: (message: Message, device: DeviceTimes = EARLY) => send(message, device),
});
