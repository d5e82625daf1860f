import * as v from "valibot";
import type { Recording, TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { Expected } from "../../domain/basics/version.ts";
import {
  NotificationRules,
  noRules,
  UrgentFloor,
  type NotificationRulesInput,
} from "../../domain/people/notification-rules.ts";
import { bumpPeopleVersion } from "../events/control.ts";
import { notificationRulesKey, urgentFloorKey } from "../keys.ts";
import { getItem, putItem } from "../table.ts";
import { putVersioned, type Recorded } from "../configuration/versioned.ts";

/*
 * Notification rules are stored with the people of the workspace, whom a worker reads by one query when anything of
 * them has changed: delivering an event reads nothing more for them.
 */

const recordedAs = (ws: WorkspaceId, userId: string): Recorded<NotificationRules> => ({
  ws,
  kind: "notification_rules",
  id: userId,
  shown: ({ rungs, quietHours }) => ({ rungs, quietHours }),
});

/** Strongly consistent. Without any, version 0. */
export const readNotificationRules = async (
  deps: TableDeps,
  ws: WorkspaceId,
  userId: string,
): Promise<NotificationRules> =>
  (await getItem(deps, notificationRulesKey(ws, userId), NotificationRules)) ?? noRules(userId);

/** Replaces a person's rules. Throws Refusal `changed_meanwhile` if they are at none of the expected versions. */
export const putNotificationRules = async (
  deps: Recording,
  ws: WorkspaceId,
  userId: string,
  input: NotificationRulesInput,
  expected?: Expected,
): Promise<NotificationRules> => {
  const put = await putVersioned(
    deps,
    notificationRulesKey(ws, userId),
    NotificationRules,
    (previous) => ({ userId, ...input, version: previous?.version ?? 1 }),
    { recorded: recordedAs(ws, userId), expected },
  );
  await bumpPeopleVersion(deps, ws);
  return put;
};

export const FloorItem = v.object({ floor: UrgentFloor });

/** Stores the workspace's floor where workers read it. Idempotent. */
export const setUrgentFloor = async (deps: TableDeps, ws: WorkspaceId, floor: UrgentFloor): Promise<void> => {
  await putItem(deps, urgentFloorKey(ws), { floor });
  await bumpPeopleVersion(deps, ws);
};

/** Strongly consistent; null if the workspace has none. */
export const readUrgentFloor = async (deps: TableDeps, ws: WorkspaceId): Promise<UrgentFloor> =>
  (await getItem(deps, urgentFloorKey(ws), FloorItem))?.floor ?? null;
