export type Message = {
  id: string;
  body: string;
  group: string | undefined;
  sentAt: number;
  /** In milliseconds. */
  visibleAt: number;
  receives: number;
  firstReceivedAt: number | undefined;
  /** The handle and time of the last receive. */
  receipt: string | undefined;
  receivedAt: number;
};
