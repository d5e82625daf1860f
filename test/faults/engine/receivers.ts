import type { PostOutcome, PostRequest } from "../../../core/domain/webhook/delivery-queue.ts";

export type ReceivedMessage = {
  at: number;
  url: string;
  id: string;
  type: string;
  timestamp: string;
  sequence: number;
  data: Readonly<Record<string, unknown>>;
};

export const createReceivers = () => {
  const received: ReceivedMessage[] = [];
  /** The answers of the webhooks that are down, by URL. */
  const down = new Map<string, PostOutcome>();
  return {
    received,
    down,
    accept: ({ url, headers, body }: PostRequest, at: number): PostOutcome => {
      const outcome = down.get(url);
      if (outcome !== undefined) return outcome;
      const { type, timestamp, data } = JSON.parse(body) as {
        type: string;
        timestamp: string;
        data: { sequence: number };
      };
      received.push({ at, url, id: headers["webhook-id"] ?? "", type, timestamp, sequence: data.sequence, data });
      return { kind: "taken", code: "HTTP_200" };
    },
  };
};
export type Receivers = ReturnType<typeof createReceivers>;
