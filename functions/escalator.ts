import type { Deps } from "../core/deps.ts";
import { createPeopleCache } from "../core/flow/config-cache.ts";
import { createEscalateStep } from "../core/flow/escalate.ts";
import { sendWork, type WorkQueues } from "../core/flow/work.ts";
import { liveDeps } from "../core/live.ts";
import { EscalationMessage } from "../core/queue/messages.ts";
import { batch } from "./sqs/batch.ts";

/** Fires the escalation steps that are due. */
export const createEscalator = (deps: Pick<Deps, "table" | "now" | "log" | "sleep"> & WorkQueues) => {
  const escalateStep = createEscalateStep(deps, createPeopleCache(deps));
  return batch(
    deps,
    EscalationMessage,
    ({ message }) => escalateStep(message.marker),
    (work) => sendWork(deps, work),
  );
};

export const handler = createEscalator(liveDeps("pushes", "escalations"));
