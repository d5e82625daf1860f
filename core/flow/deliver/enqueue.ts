import type { Deps, TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { Message } from "../../domain/webhook/message.ts";
import { sendMessages } from "../../queue/send.ts";
import { markQueueWaiting, queueMessage } from "../../store/delivery/delivery-queues.ts";
import { MINUTE_MS } from "../../domain/basics/units.ts";

type EnqueueDeps = TimedDeps & { queues: Pick<Deps["queues"], "webhooks"> };

/** If a write takes longer than this time, the SDK may have repeated the request, and the first request may take effect later. */
const ANSWER_SLOW_MS = 500;
/** The time after which a slow write can no longer take effect. */
const LATE_WRITE_MS = MINUTE_MS;

/** Returns `put`, which queues a message, and `wake`, which starts the workers of the used queues and counts these queues. */
export const createEnqueuer = (deps: EnqueueDeps, ws: WorkspaceId) => {
  const looks = new Map<string, readonly number[]>();
  return {
    put: async (id: string, message: Message): Promise<void> => {
      const began = deps.now();
      await queueMessage(deps, { ws, id }, message);
      const isSlow = deps.now() - began > ANSWER_SLOW_MS || (looks.get(id)?.length ?? 0) > 1;
      looks.set(id, isSlow ? [0, LATE_WRITE_MS] : [0]);
    },
    wake: async (): Promise<number> => {
      for (const id of looks.keys()) await markQueueWaiting(deps, { ws, id });
      const lines = [...looks].flatMap(([id, after]) =>
        after.map((delayMs) => ({ message: { kind: "line" as const, ws, id }, delayMs })),
      );
      await sendMessages(deps.queues.webhooks, lines);
      return looks.size;
    },
  };
};
