import { toIso } from "../../domain/basics/time.ts";
import type { Device } from "../../domain/device/device.ts";
import { changeDevice, type DeviceChange } from "./devices.ts";

type Failure = { at: string; code: string };

/* The condition that a report is newer than the last known arrival, so that a repeated report changes nothing. */

const NEWS_OF_CONTACT =
  "attribute_exists(devices.#id.verifiedAt) AND (attribute_not_exists(devices.#id.lastDeliveredAt) OR devices.#id.lastDeliveredAt = :none OR devices.#id.lastDeliveredAt <= :sentAt)";

/** Stores that a message that was sent to a contact at `sentAt` has arrived, unless a newer report is stored. */
export const storeMessageArrived: DeviceChange<[sentAt: string]> = async (deps, ws, userId, deviceId, sentAt) => {
  await changeDevice(deps, ws, userId, deviceId, {
    update: "SET devices.#id.lastDeliveredAt = :now REMOVE devices.#id.failing",
    condition: `${NEWS_OF_CONTACT} AND (attribute_not_exists(devices.#id.failing) OR devices.#id.failing.since < :sentAt)`,
    values: { ":now": toIso(deps.now()), ":none": null, ":sentAt": sentAt },
  });
};

/** Stores that a message that was sent to a contact at `at` has not arrived, unless a newer report is stored. */
export const storeMessageLost: DeviceChange<[Failure]> = async (deps, ws, userId, deviceId, { at, code }) => {
  await changeDevice(deps, ws, userId, deviceId, {
    update: "SET devices.#id.lastFailure = :failure",
    condition: NEWS_OF_CONTACT,
    values: { ":failure": { at, code }, ":none": null, ":sentAt": at },
  });
};

/** Stores that messages have failed since `at`. Returns the device, or undefined if a newer report is stored. */
export const storeContactFailing: DeviceChange<[Failure], Device | undefined> = async (
  deps,
  ws,
  userId,
  deviceId,
  { at, code },
) => {
  const result = await changeDevice(deps, ws, userId, deviceId, {
    update:
      "SET devices.#id.lastFailure = :failure, devices.#id.failing = if_not_exists(devices.#id.failing, :failing)",
    condition: NEWS_OF_CONTACT,
    values: { ":failure": { at, code }, ":failing": { since: at, code }, ":none": null, ":sentAt": at },
  });
  return result.kind === "done" ? result.item?.devices[deviceId] : undefined;
};
