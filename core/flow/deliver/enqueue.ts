import type { Deps, TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { Message } from "../../domain/webhook/message.ts";
import { sendMessages } from "../../queue/send.ts";
import { markQueueWaiting, queueMessage } from "../../store/delivery/delivery-queues.ts";
import { ANSWER_SLOW_MS, LATE_WRITE_MS } from "../work.ts";

type EnqueueDeps = TimedDeps & { queues: Pick<Deps["queues"], "webhooks"> };

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
