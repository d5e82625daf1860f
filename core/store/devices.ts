import * as v from "valibot";
import type { Deps } from "../deps.ts";
import { addressOf, addressText, Device, type DeviceInput } from "../domain/people/device.ts";
import { DEVICES_PER_USER_MAX } from "../domain/basics/limits.ts";
import { Refusal } from "../domain/basics/refusal.ts";
import { toIso } from "../domain/basics/time.ts";
import { devicesKey, devicesPk } from "./keys.ts";
import { batchGetItems, getItem, putItemIf, queryItems, updateItem, type Conditional } from "./table.ts";
import { oldestFirst } from "./versioned.ts";

/** All devices of a user in a workspace. `version` counts registrations and losses, to serialise concurrent ones. */
const DevicesItem = v.object({ sk: v.string(), devices: v.record(v.string(), Device), version: v.number() });
type DevicesItem = v.InferOutput<typeof DevicesItem>;

const inOrder = (item: DevicesItem | undefined): Device[] => Object.values(item?.devices ?? {}).sort(oldestFirst);

/** Strongly consistent, the oldest first. */
export const listDevices = async (deps: Pick<Deps, "table">, ws: string, userId: string): Promise<Device[]> =>
  inOrder(await getItem(deps, devicesKey(ws, userId), DevicesItem));

const byUser = (items: readonly DevicesItem[]): Map<string, Device[]> =>
  new Map(items.map((item) => [item.sk, inOrder(item)] as const).filter(([, devices]) => devices.length > 0));

/** The devices of a whole workspace, by user, without the users who have none. Eventually consistent. */
export const readAllDevices = async (deps: Pick<Deps, "table">, ws: string): Promise<Map<string, Device[]>> =>
  byUser(await queryItems(deps, { pk: devicesPk(ws) }, DevicesItem, { consistent: false }));

/** What a user's devices take on average: two phones, each with a token of FCM's usual length. */
const TYPICAL_BYTES = 1024;
/** A query is charged for its items together, a read by key for each item: half a read unit for so much of either. */
const CHARGED_BYTES = 4096;

const isQueryCheaper = (members: number, users: number): boolean =>
  Math.ceil((members * TYPICAL_BYTES) / CHARGED_BYTES) < users;

/**
 * The devices of many users; users without a device are left out. Unless `consistent` is set, a device that was
 * registered within the last second may be missing, and one that another user has taken may still be included. With
 * the number of the workspace's `members`, it reads in the cheaper way.
 */
export const readDevices = async (
  deps: Pick<Deps, "table">,
  ws: string,
  userIds: readonly string[],
  { consistent = false, members = Infinity }: { consistent?: boolean; members?: number | undefined } = {},
): Promise<Map<string, Device[]>> => {
  const asked = new Set(userIds);
  if (!consistent && isQueryCheaper(members, asked.size)) {
    const all = await readAllDevices(deps, ws);
    return new Map([...all].filter(([userId]) => asked.has(userId)));
  }
  const keys = [...asked].map((userId) => devicesKey(ws, userId));
  return byUser(await batchGetItems(deps, keys, DevicesItem, { consistent }));
};

const writeDevice = (
  deps: Pick<Deps, "table">,
  ws: string,
  userId: string,
  device: Device,
  seen: DevicesItem | undefined,
): Promise<Conditional<DevicesItem | undefined>> =>
  seen === undefined
    ? putItemIf(deps, devicesKey(ws, userId), { devices: { [device.id]: device }, version: 1 }, DevicesItem)
    : updateItem(deps, devicesKey(ws, userId), DevicesItem, {
        update: "SET devices.#id = :device, #version = #version + :one",
        condition: "#version = :version",
        names: { "#id": device.id, "#version": "version" },
        values: { ":device": device, ":one": 1, ":version": seen.version },
      });

const TRIES = 10;

const deviceOf = (devices: readonly Device[], address: string): Device | undefined =>
  devices.find((device) => addressText(addressOf(device)) === address);

/** The device with this address, if any. Throws Refusal `limit_reached` if there is none and no room for another. */
const deviceOrRoom = (devices: readonly Device[], address: string): Device | undefined => {
  const known = deviceOf(devices, address);
  if (known === undefined && devices.length >= DEVICES_PER_USER_MAX)
    throw new Refusal("limit_reached", `A user has at most ${DEVICES_PER_USER_MAX} devices. Delete one first.`);
  return known;
};

/** Throws the refusal that `saveDevice` would throw. */
export const requireRoom = async (
  deps: Pick<Deps, "table">,
  ws: string,
  userId: string,
  address: string,
): Promise<void> => {
  deviceOrRoom(await listDevices(deps, ws, userId), address);
};

/**
 * Adds a device, or renews the one with this address. Refused beyond the number that a user may have. `isOwner` is
 * asked between the read and the write: if the user has lost the address meanwhile, nothing is written (`isStored`).
 */
export const saveDevice = async (
  deps: Pick<Deps, "table" | "now" | "newId">,
  ws: string,
  userId: string,
  input: DeviceInput,
  isOwner: () => Promise<boolean>,
): Promise<{ kind: "created" | "renewed"; device: Device; isStored: boolean }> => {
  const address = addressOf(input);
  for (let round = 0; round < TRIES; round += 1) {
    const seen = await getItem(deps, devicesKey(ws, userId), DevicesItem);
    const devices = inOrder(seen);
    const known = deviceOrRoom(devices, addressText(address));
    const now = toIso(deps.now());
    const device: Device = {
      id: known?.id ?? deps.newId("dev"),
      platform: input.platform ?? known?.platform ?? "web",
      name: input.name ?? known?.name ?? null,
      createdAt: known?.createdAt ?? now,
      registeredAt: now,
      lastDeliveredAt: known?.lastDeliveredAt ?? null,
      lastFailure: null,
      receiptKey: input.receiptKey ?? known?.receiptKey,
      lastTest: known?.lastTest,
      ...address,
    };
    const saved = { kind: known === undefined ? "created" : "renewed", device } as const;
    if (!(await isOwner())) return { ...saved, isStored: false };
    if ((await writeDevice(deps, ws, userId, device, seen)).kind === "done") return { ...saved, isStored: true };
  }
  throw new Error(`the devices of ${userId} changed under ${TRIES} tries to register one`);
};

/** Says whether the user had the device. */
export const deleteDevice = async (
  deps: Pick<Deps, "table">,
  ws: string,
  userId: string,
  deviceId: string,
): Promise<boolean> => {
  const result = await updateItem(deps, devicesKey(ws, userId), DevicesItem, {
    update: "REMOVE devices.#id",
    condition: "attribute_exists(devices.#id)",
    names: { "#id": deviceId },
  });
  return result.kind === "done";
};

/** Notes that a device has confirmed a push. A device that is gone is ignored. */
export const noteDelivered = async (
  deps: Pick<Deps, "table" | "now">,
  ws: string,
  userId: string,
  deviceId: string,
): Promise<void> => {
  await updateItem(deps, devicesKey(ws, userId), DevicesItem, {
    update: "SET devices.#id.lastDeliveredAt = :now",
    condition: "attribute_exists(devices.#id)",
    names: { "#id": deviceId },
    values: { ":now": toIso(deps.now()) },
  });
};

/** Least time between two tests of a device. */
const TEST_PAUSE_SECONDS = 10;

/** The result of asking for a test: it is noted and may be sent, it comes too soon, or there is no such device. */
export type TestStart = { kind: "started"; device: Device } | { kind: "soon"; afterSeconds: number } | { kind: "none" };

/** Notes that a test of a device is about to be sent, `at` milliseconds since the epoch, at most once in ten seconds. */
export const startTest = async (
  deps: Pick<Deps, "table">,
  ws: string,
  userId: string,
  deviceId: string,
  { testId, at }: { testId: string; at: number },
): Promise<TestStart> => {
  const result = await updateItem(deps, devicesKey(ws, userId), DevicesItem, {
    update: "SET devices.#id.lastTest = :test",
    condition:
      "attribute_exists(devices.#id) AND (attribute_not_exists(devices.#id.lastTest) OR devices.#id.lastTest.sentAt <= :before)",
    names: { "#id": deviceId },
    values: {
      ":test": { id: testId, sentAt: toIso(at), shownAt: null },
      ":before": toIso(at - TEST_PAUSE_SECONDS * 1000),
    },
  });
  const device = result.item?.devices[deviceId];
  if (device === undefined) return { kind: "none" };
  return result.kind === "done" || device.lastTest?.id === testId
    ? { kind: "started", device }
    : { kind: "soon", afterSeconds: TEST_PAUSE_SECONDS };
};

/** Notes that a device has shown a test, if it is the device's last test and not noted yet. */
export const noteShown = async (
  deps: Pick<Deps, "table" | "now">,
  ws: string,
  userId: string,
  deviceId: string,
  testId: string,
): Promise<void> => {
  await updateItem(deps, devicesKey(ws, userId), DevicesItem, {
    update: "SET devices.#id.lastTest.shownAt = :now, devices.#id.lastDeliveredAt = :now",
    condition: "devices.#id.lastTest.id = :test AND devices.#id.lastTest.shownAt = :none",
    names: { "#id": deviceId },
    values: { ":now": toIso(deps.now()), ":test": testId, ":none": null },
  });
};

/** Notes that a push to a device has failed, and with which code. A device that is gone is ignored. */
export const noteFailure = async (
  deps: Pick<Deps, "table" | "now">,
  ws: string,
  userId: string,
  deviceId: string,
  code: string,
): Promise<void> => {
  await updateItem(deps, devicesKey(ws, userId), DevicesItem, {
    update: "SET devices.#id.lastFailure = :failure",
    condition: "attribute_exists(devices.#id)",
    names: { "#id": deviceId },
    values: { ":failure": { at: toIso(deps.now()), code } },
  });
};

/** Removes a device that its push service no longer knows, unless it has registered again. */
export const pruneDevice = async (
  deps: Pick<Deps, "table">,
  ws: string,
  userId: string,
  deviceId: string,
  registeredAt: string,
): Promise<"pruned" | "kept"> => {
  const result = await updateItem(deps, devicesKey(ws, userId), DevicesItem, {
    update: "REMOVE devices.#id",
    condition: "devices.#id.registeredAt = :registeredAt",
    names: { "#id": deviceId },
    values: { ":registeredAt": registeredAt },
  });
  return result.kind === "done" ? "pruned" : "kept";
};

/**
 * Takes an address from a user who no longer owns it. A concurrent registration by that user that has read but not
 * written yet fails its write and reads again. A caller that has lost ownership meanwhile (`isOwner`) takes nothing.
 */
export const takeAddressAway = async (
  deps: Pick<Deps, "table">,
  ws: string,
  userId: string,
  address: string,
  isOwner: () => Promise<boolean>,
): Promise<void> => {
  const key = devicesKey(ws, userId);
  for (let round = 0; round < TRIES; round += 1) {
    const seen = await getItem(deps, key, DevicesItem);
    // Ownership changes before the new owner's device is saved, which in turn changes the version.
    if (!(await isOwner())) return;
    const ids = inOrder(seen).flatMap((device) => (addressText(addressOf(device)) === address ? [device.id] : []));
    const remove = ids.length === 0 ? "" : ` REMOVE ${ids.map((_, index) => `devices.#id${index}`).join(", ")}`;
    const written =
      seen === undefined
        ? await putItemIf(deps, key, { devices: {}, version: 1 }, DevicesItem)
        : await updateItem(deps, key, DevicesItem, {
            update: `SET #version = #version + :one${remove}`,
            condition: "#version = :version",
            names: { "#version": "version", ...Object.fromEntries(ids.map((id, index) => [`#id${index}`, id])) },
            values: { ":one": 1, ":version": seen.version },
          });
    if (written.kind === "done") return;
  }
  throw new Error(`the devices of ${userId} changed under ${TRIES} tries to take one away`);
};
