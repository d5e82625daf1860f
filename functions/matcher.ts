import type { Deps } from "../core/deps.ts";
import { createEventMatcher, type MatchDeps } from "../core/flow/match/match-event.ts";
import { createDeletedCheck } from "../core/flow/is-of-deleted-workspace.ts";
import { sendWork, type WorkQueues } from "../core/flow/work.ts";
import { liveDeps } from "../core/live.ts";
import { EventMessage } from "../core/queue/messages.ts";
import { createMessageDelayer } from "../core/queue/send.ts";
import { Again, processBatch } from "./sqs/batch.ts";

/** The time that is reserved for one event: matching, and writing a part of its plan. */
const TO_MATCH_MS = 5_000;

/** Creates the worker that turns accepted events into notifications, and passes them to the sender. */
export const createMatcher = (deps: MatchDeps & WorkQueues & Pick<Deps, "sleep" | "random">) => {
  const match = createEventMatcher(deps);
  return processBatch(
    deps,
    { schema: EventMessage, comeAgain: createMessageDelayer(deps.queues.events), isGone: createDeletedCheck(deps) },
    async ({ message, receives, timeLeft }) => {
      const matched = await match(message, receives, () => timeLeft() > TO_MATCH_MS);
      // Makes the message visible again at once if the time left is too short to match the event.
      return matched === "not begun" ? new Again(0) : matched;
    },
    (work) => sendWork(deps, work),
  );
};

export const handler = createMatcher(liveDeps("events", "pushes", "escalations", "webhooks"));
