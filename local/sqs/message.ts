export type Message = {
  id: string;
  body: string;
  /** Whose it is; undefined where the sender did not say. */
  group: string | undefined;
  sentAt: number;
  /** When it can be received next, in milliseconds. */
  visibleAt: number;
  receives: number;
  firstReceivedAt: number | undefined;
  /** The handle and the time of the last receive. */
  receipt: string | undefined;
  receivedAt: number;
};
