import type { Deps } from "../core/deps.ts";
import { createPeopleCache } from "../core/flow/config-cache.ts";
import { createEscalateStep } from "../core/flow/escalate.ts";
import { sendWork, type WorkQueues } from "../core/flow/work.ts";
import { liveDeps } from "../core/live.ts";
import { EscalationMessage } from "../core/queue/messages.ts";
import { comeAgain } from "../core/queue/send.ts";
import { again, batch } from "./sqs/batch.ts";

/** What one step takes at most, once its people are read: deciding it, and writing the notifications. */
const TO_FIRE_MS = 5_000;

/** Fires the escalation steps that are due. */
export const createEscalator = (deps: Pick<Deps, "table" | "now" | "log" | "sleep"> & WorkQueues) => {
  const escalateStep = createEscalateStep(deps, createPeopleCache(deps));
  return batch(
    deps,
    EscalationMessage,
    async ({ message, receiptHandle, receives, timeLeft }) => {
      const fired = await escalateStep(message.marker, () => timeLeft() > TO_FIRE_MS);
      if (fired !== "not begun") return fired;
      // Another invocation takes it at once. One that came back too often is left to its marker.
      return (await comeAgain(deps.queues.escalations, receiptHandle, receives, 0)) ? again : undefined;
    },
    (work) => sendWork(deps, work),
  );
};

export const handler = createEscalator(liveDeps("pushes", "escalations", "webhooks"));
