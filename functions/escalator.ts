import type { Deps } from "../core/deps.ts";
import { createPeopleCache } from "../core/flow/config-cache.ts";
import { createStepEscalator } from "../core/flow/escalate/escalate.ts";
import { createDeletedCheck } from "../core/flow/is-of-deleted-workspace.ts";
import { sendWork, type WorkQueues } from "../core/flow/work.ts";
import { liveDeps } from "../core/live.ts";
import { EscalationMessage } from "../core/queue/messages.ts";
import { createMessageDelayer } from "../core/queue/send.ts";
import { Again, processBatch } from "./sqs/batch.ts";

/** The time that must be left, after a step's people were read, for the step to begin. */
const TO_FIRE_MS = 5_000;

/** Creates the worker that runs due escalation steps. */
export const createEscalator = (deps: Pick<Deps, "table" | "now" | "log" | "sleep" | "random"> & WorkQueues) => {
  const escalateStep = createStepEscalator(deps, createPeopleCache(deps));
  return processBatch(
    deps,
    {
      schema: EscalationMessage,
      comeAgain: createMessageDelayer(deps.queues.escalations),
      isGone: createDeletedCheck(deps),
    },
    async ({ message, timeLeft }) => {
      const fired = await escalateStep(message.marker, () => timeLeft() > TO_FIRE_MS);
      // If too little time was left, the step's message becomes visible again at once.
      return fired === "not begun" ? new Again(0) : fired;
    },
    (work) => sendWork(deps, work),
  );
};

export const handler = createEscalator(liveDeps("pushes", "escalations", "webhooks"));
