export type Message = {
  id: string;
  body: string;
  /** The message's group; undefined if the sender set none. */
  group: string | undefined;
  sentAt: number;
  /** When the message can be received next, in milliseconds. */
  visibleAt: number;
  receives: number;
  firstReceivedAt: number | undefined;
  /** The handle and the time of the last receive. */
  receipt: string | undefined;
  receivedAt: number;
};
