import * as v from "valibot";
import type { Deps, Recording } from "../deps.ts";
import type { Expected } from "../domain/basics/version.ts";
import {
  NotificationRules,
  noRules,
  UrgentFloor,
  type NotificationRulesInput,
} from "../domain/people/notification-rules.ts";
import { bumpPeopleVersion } from "./control.ts";
import { notificationRulesKey, urgentFloorKey } from "./keys.ts";
import { getItem, putItem } from "./table.ts";
import { changeVersioned, createRecorded, requireExpected, type Recorded } from "./versioned.ts";

/*
 * One's own notification rules lie with the people of the workspace, whom a worker reads by one query when anything of
 * them has changed: on an event's way nothing more is read, whoever has rules.
 */

const recordedAs = (ws: string, userId: string): Recorded<NotificationRules> => ({
  ws,
  kind: "notification_rules",
  id: userId,
  shown: ({ rungs, quietHours }) => ({ rungs, quietHours }),
});

/** Strongly consistent. Without any, version 0. */
export const readNotificationRules = async (
  deps: Pick<Deps, "table">,
  ws: string,
  userId: string,
): Promise<NotificationRules> =>
  (await getItem(deps, notificationRulesKey(ws, userId), NotificationRules)) ?? noRules(userId);

const PUT_TRIES = 3;

/** Replaces a person's rules. Throws Refusal `changed_meanwhile` if they are at none of the expected versions. */
export const putNotificationRules = async (
  deps: Recording,
  ws: string,
  userId: string,
  input: NotificationRulesInput,
  expected?: Expected,
): Promise<NotificationRules> => {
  const key = notificationRulesKey(ws, userId);
  const recorded = recordedAs(ws, userId);
  for (let round = 0; round < PUT_TRIES; round += 1) {
    const change = ({ version }: NotificationRules): NotificationRules => ({ userId, ...input, version });
    const changed = await changeVersioned(deps, key, NotificationRules, change, { recorded, expected });
    if (changed === undefined) requireExpected({ version: 0 }, expected);
    const first: NotificationRules = { userId, ...input, version: 1 };
    const put =
      changed === undefined
        ? await createRecorded(deps, key, first, { schema: NotificationRules, recorded, stored: first })
        : { kind: "done" };
    if (put.kind === "refused") continue;
    await bumpPeopleVersion(deps, ws);
    return changed ?? first;
  }
  throw new Error(`the notification rules of ${userId} came and went under ${PUT_TRIES} tries to write them`);
};

export const FloorItem = v.object({ floor: UrgentFloor });

/** Puts the workspace's floor where workers read it. Idempotent. */
export const setUrgentFloor = async (deps: Pick<Deps, "table">, ws: string, floor: UrgentFloor): Promise<void> => {
  await putItem(deps, urgentFloorKey(ws), { floor });
  await bumpPeopleVersion(deps, ws);
};

/** Strongly consistent; null where the workspace asks for nothing. */
export const readUrgentFloor = async (deps: Pick<Deps, "table">, ws: string): Promise<UrgentFloor> =>
  (await getItem(deps, urgentFloorKey(ws), FloorItem))?.floor ?? null;
