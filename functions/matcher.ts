import type { Deps } from "../core/deps.ts";
import { createMatching, type MatchDeps } from "../core/flow/match-event.ts";
import { sendWork, type WorkQueues } from "../core/flow/work.ts";
import { liveDeps } from "../core/live.ts";
import { EventMessage } from "../core/queue/messages.ts";
import { batch } from "./sqs/batch.ts";

/** Turns accepted events into notifications and passes them to the sender. */
export const createMatcher = (deps: MatchDeps & WorkQueues & Pick<Deps, "sleep">) => {
  const match = createMatching(deps);
  return batch(
    deps,
    EventMessage,
    ({ message, receives }) => match(message, receives),
    (work) => sendWork(deps, work),
  );
};

export const handler = createMatcher(liveDeps("events", "pushes", "escalations"));
