export type Message = {
  id: string;
  body: string;
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
