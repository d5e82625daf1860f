import type { Deps, TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { Connection } from "../../domain/connection/connection.ts";
import { isUserGroupUpToDate } from "../../domain/on-call/user-group.ts";
import { listFirstMessages, readQueues } from "../../store/delivery/delivery-queues.ts";
import { readSlackAccountsAndPeople, createUserGroupMessage, findWantedMembers } from "../admin/fill-user-group.ts";
import { createEnqueuer } from "./enqueue.ts";

/** How many messages are queued per user group at most: no worker has begun the second one, so it will include all changes. */
const ENOUGH_QUEUED = 2;

/** Queues a message for each user group that should change. The worker that gets a message computes the members anew. */
export const queueUserGroupUpdates = async (
  deps: TimedDeps & { queues: Pick<Deps["queues"], "webhooks"> },
  ws: WorkspaceId,
  userGroups: readonly Connection[],
): Promise<void> => {
  if (userGroups.length === 0) return;
  const known = await readSlackAccountsAndPeople(deps, ws);
  const lines = await readQueues(deps, ws);
  const filling = createEnqueuer(deps, ws);
  const queuedAt = deps.now();
  for (const connection of userGroups) {
    const { id } = connection;
    if (isUserGroupUpToDate(lines.get(id)?.followed, findWantedMembers(known, connection, queuedAt))) continue;
    const [, waits] = await listFirstMessages(deps, { ws, id }, ENOUGH_QUEUED);
    // Queues a waiting message again, because the worker that processed it may have died.
    await filling.put(id, waits ?? createUserGroupMessage(id, queuedAt));
  }
  await filling.wake();
};
