import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { toIso } from "../../domain/basics/time.ts";
import { isVerified, type Device } from "../../domain/device/device.ts";
import { changeDevice, type DeviceChange } from "./devices.ts";
import { SECOND_MS } from "../../domain/basics/units.ts";

/** Stores that a device has confirmed a push, which proves that its channel works. Ignores a removed device. */
export const storePushConfirmed: DeviceChange = async (deps, ws, userId, deviceId) => {
  await changeDevice(deps, ws, userId, deviceId, {
    update: "SET devices.#id.lastDeliveredAt = :now REMOVE devices.#id.failing",
    condition: "attribute_exists(devices.#id)",
    values: { ":now": toIso(deps.now()) },
  });
};

const TEST_PAUSE_MS = 10 * SECOND_MS;

export type TestStart =
  | { kind: "started"; device: Device }
  | { kind: "soon"; afterMs: number }
  | { kind: "unverified" }
  | { kind: "none" };

/** Stores that a test of a device is about to be sent at `at` (in milliseconds). Refuses more than one test in ten seconds. */
export const startDeviceTest: DeviceChange<[test: { testId: string; at: number }], TestStart> = async (
  deps,
  ws,
  userId,
  deviceId,
  { testId, at },
) => {
  const result = await changeDevice(deps, ws, userId, deviceId, {
    update: "SET devices.#id.lastTest = :test",
    condition:
      "attribute_exists(devices.#id) AND ((attribute_not_exists(devices.#id.email) AND attribute_not_exists(devices.#id.phone)) OR attribute_exists(devices.#id.verifiedAt)) AND (attribute_not_exists(devices.#id.lastTest) OR devices.#id.lastTest.sentAt <= :before)",
    values: { ":test": { id: testId, sentAt: toIso(at), shownAt: null }, ":before": toIso(at - TEST_PAUSE_MS) },
  });
  const device = result.item?.devices[deviceId];
  if (device === undefined) return { kind: "none" };
  if (!isVerified(device)) return { kind: "unverified" };
  return result.kind === "done" || device.lastTest?.id === testId
    ? { kind: "started", device }
    : { kind: "soon", afterMs: TEST_PAUSE_MS };
};

/** Stores that a device has shown a test, if this is the device's last test and is not yet stored as shown. */
export const storeTestShown: DeviceChange<[testId: string]> = async (deps, ws, userId, deviceId, testId) => {
  await changeDevice(deps, ws, userId, deviceId, {
    update: "SET devices.#id.lastTest.shownAt = :now, devices.#id.lastDeliveredAt = :now REMOVE devices.#id.failing",
    condition: "devices.#id.lastTest.id = :test AND devices.#id.lastTest.shownAt = :none",
    values: { ":now": toIso(deps.now()), ":test": testId, ":none": null },
  });
};

/** Stores the code of a failed push to a device. Ignores a removed device. */
export const setPushFailure: DeviceChange<[code: string]> = async (deps, ws, userId, deviceId, code) => {
  await changeDevice(deps, ws, userId, deviceId, {
    update: "SET devices.#id.lastFailure = :failure",
    condition: "attribute_exists(devices.#id)",
    values: { ":failure": { at: toIso(deps.now()), code } },
  });
};

/** Stores that a device must register again with the service's keys. Does nothing if `registeredAt` has changed. */
export const markForeign = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  userId: string,
  { id, registeredAt }: Pick<Device, "id" | "registeredAt">,
  code: string,
): Promise<void> => {
  const at = toIso(deps.now());
  await changeDevice(deps, ws, userId, id, {
    update: "SET devices.#id.lastFailure = :failure, devices.#id.foreignSince = :now",
    condition: "devices.#id.registeredAt = :registeredAt AND attribute_not_exists(devices.#id.foreignSince)",
    values: { ":failure": { at, code }, ":now": at, ":registeredAt": registeredAt },
  });
};

/** Stores that the user was notified that the device must register. */
export const markForeignNotified: DeviceChange = async (deps, ws, userId, deviceId) => {
  await changeDevice(deps, ws, userId, deviceId, {
    update: "SET devices.#id.toldForeign = :true",
    condition: "attribute_exists(devices.#id.foreignSince)",
    values: { ":true": true },
  });
};

/** Stores that a device needs no new registration, because a push to the device was accepted. */
export const clearForeignState: DeviceChange = async (deps, ws, userId, deviceId) => {
  await changeDevice(deps, ws, userId, deviceId, {
    update: "REMOVE devices.#id.foreignSince, devices.#id.toldForeign",
    condition: "attribute_exists(devices.#id.foreignSince)",
  });
};
