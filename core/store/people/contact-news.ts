import type { TableDeps, TimedDeps } from "../../deps.ts";
import type { WorkspaceId, DeviceId } from "../../domain/basics/ids.ts";
import { toIso } from "../../domain/basics/time.ts";
import type { Device } from "../../domain/device/device.ts";
import { changeDevice } from "./devices.ts";

/*
 * The state of contacts by the later reports of their services. Each write holds only if nothing newer is known, so that a
 * repeated or late report changes nothing.
 */

/** Whether nothing newer than a message to a contact is known of it. */
const NEWS_OF_CONTACT =
  "attribute_exists(devices.#id.verifiedAt) AND (attribute_not_exists(devices.#id.lastDeliveredAt) OR devices.#id.lastDeliveredAt = :none OR devices.#id.lastDeliveredAt <= :sentAt)";

/** Stores that a message to a contact, sent at `sentAt`, has arrived; unless something newer is known of it. */
export const setArrived = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  userId: string,
  deviceId: DeviceId,
  sentAt: string,
): Promise<void> => {
  await changeDevice(deps, ws, userId, deviceId, {
    update: "SET devices.#id.lastDeliveredAt = :now REMOVE devices.#id.failing",
    condition: `${NEWS_OF_CONTACT} AND (attribute_not_exists(devices.#id.failing) OR devices.#id.failing.since < :sentAt)`,
    values: { ":now": toIso(deps.now()), ":none": null, ":sentAt": sentAt },
  });
};

/** Stores that a message to a contact, sent `at`, has not arrived; unless something newer is known of it. */
export const setLost = async (
  deps: TableDeps,
  ws: WorkspaceId,
  userId: string,
  deviceId: DeviceId,
  { at, code }: { at: string; code: string },
): Promise<void> => {
  await changeDevice(deps, ws, userId, deviceId, {
    update: "SET devices.#id.lastFailure = :failure",
    condition: NEWS_OF_CONTACT,
    values: { ":failure": { at, code }, ":none": null, ":sentAt": at },
  });
};

/**
 * Stores that nothing arrives at a contact since a message that was sent `at`. Returns the device then; undefined
 * if something newer is known of it.
 */
export const setFailing = async (
  deps: TableDeps,
  ws: WorkspaceId,
  userId: string,
  deviceId: DeviceId,
  { at, code }: { at: string; code: string },
): Promise<Device | undefined> => {
  const result = await changeDevice(deps, ws, userId, deviceId, {
    update:
      "SET devices.#id.lastFailure = :failure, devices.#id.failing = if_not_exists(devices.#id.failing, :failing)",
    condition: NEWS_OF_CONTACT,
    values: { ":failure": { at, code }, ":failing": { since: at, code }, ":none": null, ":sentAt": at },
  });
  return result.kind === "done" ? result.item?.devices[deviceId] : undefined;
};
