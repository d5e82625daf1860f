import type { Deps } from "../core/deps.ts";
import { createMatching, type MatchDeps } from "../core/flow/match-event.ts";
import { sendWork, type WorkQueues } from "../core/flow/work.ts";
import { liveDeps } from "../core/live.ts";
import { EventMessage } from "../core/queue/messages.ts";
import { comeAgain } from "../core/queue/send.ts";
import { again, batch } from "./sqs/batch.ts";

/** What one event takes at most: its rules' compiling and matching, and writing a part of its plan. */
const TO_MATCH_MS = 5_000;

/** Turns accepted events into notifications and passes them to the sender. */
export const createMatcher = (deps: MatchDeps & WorkQueues & Pick<Deps, "sleep">) => {
  const match = createMatching(deps);
  return batch(
    deps,
    EventMessage,
    async ({ message, receiptHandle, receives, timeLeft }) => {
      const matched = await match(message, receives, () => timeLeft() > TO_MATCH_MS);
      if (matched !== "not begun") return matched;
      // Another invocation takes it at once. One that came back too often is left to its marker.
      return (await comeAgain(deps.queues.events, receiptHandle, receives, 0)) ? again : undefined;
    },
    (work) => sendWork(deps, work),
  );
};

export const handler = createMatcher(liveDeps("events", "pushes", "escalations", "webhooks"));
