import * as v from "valibot";
import type { AuditDeps, TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { IfMatch } from "../../domain/basics/version.ts";
import {
  NotificationRules,
  createEmptyRules,
  UrgentFloor,
  type NotificationRulesInput,
} from "../../domain/people/notification-rules.ts";
import { raisePeopleVersion } from "../events/control.ts";
import { notificationRulesKey, urgentFloorKey } from "../keys.ts";
import { getItem, putItem } from "../table.ts";
import { putVersionedItem, type AuditOf } from "../configuration/versioned.ts";

/* Notification rules are in the partition of the workspace's people, which workers read anyway. */

const describeNotificationRulesForTrail = (ws: WorkspaceId, userId: string): AuditOf<NotificationRules> => ({
  ws,
  kind: "notification_rules",
  id: userId,
  shown: ({ rungs, quietHours }) => ({ rungs, quietHours }),
});

/** Reads a person's notification rules by a strongly consistent read. Returns version 0 if the person has no rules. */
export const readNotificationRules = async (deps: TableDeps, ws: WorkspaceId, id: string): Promise<NotificationRules> =>
  (await getItem(deps, notificationRulesKey(ws, id), NotificationRules)) ?? createEmptyRules(id);

/** Stores a person's notification rules. Throws Refusal `changed_meanwhile` if the stored version is not an expected version. */
export const putNotificationRules = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  userId: string,
  input: NotificationRulesInput,
  expected?: IfMatch,
): Promise<NotificationRules> => {
  const put = await putVersionedItem(
    deps,
    notificationRulesKey(ws, userId),
    NotificationRules,
    (previous) => ({ userId, ...input, version: previous?.version ?? 1 }),
    { recorded: describeNotificationRulesForTrail(ws, userId), expected },
  );
  await raisePeopleVersion(deps, ws);
  return put;
};

export const FloorItem = v.object({ floor: UrgentFloor });

/** Stores which channels URGENT notifications must use, in the partition of the people, which workers read. Idempotent. */
export const setUrgentFloor = async (deps: TableDeps, ws: WorkspaceId, floor: UrgentFloor): Promise<void> => {
  await putItem(deps, urgentFloorKey(ws), { floor });
  await raisePeopleVersion(deps, ws);
};

export const readUrgentFloor = async (deps: TableDeps, ws: WorkspaceId): Promise<UrgentFloor> =>
  (await getItem(deps, urgentFloorKey(ws), FloorItem))?.floor ?? null;
