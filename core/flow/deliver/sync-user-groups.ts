import type { Deps, TimedDeps } from "../../deps.ts";
import type { Connection } from "../../domain/connection/connection.ts";
import { isUpToDate } from "../../domain/on-call/user-group.ts";
import { firstInLine, readQueues } from "../../store/delivery/delivery-queues.ts";
import { readKnown, userGroupMessage, wantedAt } from "../admin/fill-user-group.ts";
import { createEnqueue } from "./enqueue.ts";

/*
 * User groups of Slack that follow who is on call. A look at a workspace compares what each should be like with what it is
 * known to be, and puts in its line that something differs; whoever works on the line finds out what it should be then.
 */

/** So many messages in a line are enough: the second is not begun yet, so it will see all that this look has seen. */
const ENOUGH_QUEUED = 2;

/** Puts in line which of the user groups of a workspace differ from what they should be like. */
export const followOnCall = async (
  deps: TimedDeps & { queues: Pick<Deps["queues"], "webhooks"> },
  ws: string,
  userGroups: readonly Connection[],
): Promise<void> => {
  if (userGroups.length === 0) return;
  const known = await readKnown(deps, ws);
  const lines = await readQueues(deps, ws);
  const filling = createEnqueue(deps, ws);
  const queuedAt = deps.now();
  for (const connection of userGroups) {
    const { id } = connection;
    if (isUpToDate(lines.get(id)?.followed, wantedAt(known, connection, queuedAt))) continue;
    const [, waits] = await firstInLine(deps, { ws, id }, ENOUGH_QUEUED);
    // One that waits is put there once more, so that its line is looked at if whoever put it there has died.
    await filling.put(id, waits ?? userGroupMessage(id, queuedAt));
  }
  await filling.wake();
};
