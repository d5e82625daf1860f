export type Message = {
  id: string;
  body: string;
  group: string | undefined;
  sentAt: number;
  /** The time, in ms, at which the message becomes visible. */
  visibleAt: number;
  receives: number;
  firstReceivedAt: number | undefined;
  /** The handle and time of the last receive. */
  receipt: string | undefined;
  receivedAt: number;
};
