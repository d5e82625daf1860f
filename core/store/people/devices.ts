import * as v from "valibot";
import { AGAIN, retryChange } from "../../domain/basics/attempt.ts";
import type { Deps, AuditDeps, TableDeps, TimedDeps } from "../../deps.ts";
import type { WorkspaceId, DeviceId } from "../../domain/basics/ids.ts";
import { toAddress, toAddressId, toContact, Device, isVerified, type NewDevice } from "../../domain/device/device.ts";
import { CODE_TRIES_MAX, type SentCode } from "../../domain/device/verification.ts";
import { DEVICES_PER_USER_MAX } from "../../domain/basics/limits.ts";
import { sha256 } from "../../domain/basics/digest.ts";
import { Refusal } from "../../domain/basics/refusal.ts";
import { toIso } from "../../domain/basics/time.ts";
import { devicesKey, devicesPk, type Key } from "../keys.ts";
import { removePhoneOwner } from "./phones.ts";
import { readTokenOwner, toMembershipRemoval } from "./push-tokens.ts";
import {
  batchGetItems,
  deleteItem,
  getItem,
  putItemIf,
  queryItems,
  updateItem,
  updateWrite,
  writeTogether,
  type WriteResult,
  type Expression,
  type Write,
} from "../table.ts";
import { writeRecorded } from "../configuration/audit-trail.ts";
import { compareByCreation } from "../configuration/versioned.ts";

/** `version`: increases with each registration and each loss of a device, so that concurrent registrations conflict. */
const DevicesItem = v.object({
  sk: v.string(),
  devices: v.record(v.string(), Device),
  version: v.number(),
  /** The devices that another user has taken over, until the former owner is notified. */
  lost: v.optional(v.record(v.string(), Device)),
});
type DevicesItem = v.InferOutput<typeof DevicesItem>;

const toDevicesOldestFirst = (item: DevicesItem | undefined): Device[] =>
  Object.values(item?.devices ?? {}).sort(compareByCreation);

/** Lists a user's devices, oldest first. Strongly consistent. */
export const listDevices = async (deps: TableDeps, ws: WorkspaceId, userId: string): Promise<Device[]> =>
  toDevicesOldestFirst(await getItem(deps, devicesKey(ws, userId), DevicesItem));

/** Returns devices by user. Leaves out unverified addresses, which get no notifications. */
const groupByUser = (items: readonly DevicesItem[]): Map<string, Device[]> =>
  new Map(
    items
      .map((item) => [item.sk, toDevicesOldestFirst(item).filter(isVerified)] as const)
      .filter(([, devices]) => devices.length > 0),
  );

/** Reads all devices of a workspace that may be notified, by user. Eventually consistent. */
export const readAllDevices = async (deps: TableDeps, ws: WorkspaceId): Promise<Map<string, Device[]>> =>
  groupByUser(await queryItems(deps, { pk: devicesPk(ws) }, DevicesItem, { consistent: false }));

/** The typical size of a user's devices, in bytes: two phones with an FCM token of usual length each. */
const TYPICAL_BYTES = 1024;
/** DynamoDB charges half a read unit per this number of bytes: a query by its total size, reads by key by each item's size. */
const CHARGED_BYTES = 4096;

/** Returns whether reading all members' devices costs fewer read units than reading each of `users` users' devices. */
const isQueryCheaperThanKeyReads = (members: number, users: number): boolean =>
  Math.ceil((members * TYPICAL_BYTES) / CHARGED_BYTES) < users;

/**
 * Reads the devices of many users that may be notified. Leaves out users without devices. Without `consistent`, may leave out a
 * device that was registered in the last second, and may include a device that another user has taken over. `members`: the number
 * of the workspace's members, by which the cheaper way to read is chosen.
 */
export const readDevices = async (
  deps: TableDeps,
  ws: WorkspaceId,
  userIds: readonly string[],
  { consistent = false, members = Infinity }: { consistent?: boolean; members?: number | undefined } = {},
): Promise<Map<string, Device[]>> => {
  const asked = new Set(userIds);
  if (!consistent && isQueryCheaperThanKeyReads(members, asked.size)) {
    const all = await readAllDevices(deps, ws);
    return new Map([...all].filter(([userId]) => asked.has(userId)));
  }
  const keys = [...asked].map((userId) => devicesKey(ws, userId));
  return groupByUser(await batchGetItems(deps, keys, DevicesItem, { consistent }));
};

/** Stores a user's device, if the user's devices have not changed since `seen` was read (undefined: none was stored). */
const writeDevice = (
  deps: TableDeps,
  ws: WorkspaceId,
  userId: string,
  device: Device,
  seen: DevicesItem | undefined,
): Promise<WriteResult<DevicesItem | undefined>> =>
  seen === undefined
    ? putItemIf(deps, devicesKey(ws, userId), { devices: { [device.id]: device }, version: 1 }, DevicesItem)
    : updateItem(deps, devicesKey(ws, userId), DevicesItem, {
        update: "SET devices.#id = :device, #version = #version + :one",
        condition: "#version = :version",
        names: { "#id": device.id, "#version": "version" },
        values: { ":device": device, ":one": 1, ":version": seen.version },
      });

/** Returns the device with the address, if any. Throws Refusal `limit_reached` if a new device would exceed the limit. */
const findDeviceOrCheckLimit = (devices: readonly Device[], address: string): Device | undefined => {
  const known = devices.find((device) => toAddressId(toAddress(device)) === address);
  if (known === undefined && devices.length >= DEVICES_PER_USER_MAX)
    throw new Refusal("limit_reached", `A user has at most ${DEVICES_PER_USER_MAX} devices. Delete one first.`);
  return known;
};

/** Throws Refusal `limit_reached` if the user has the maximum number of devices and no device with the address. */
export const requireSlot = async (deps: TableDeps, ws: WorkspaceId, userId: string, address: string): Promise<void> => {
  findDeviceOrCheckLimit(await listDevices(deps, ws, userId), address);
};

/** Adds or renews a device. `isStored`: false if `isOwner` denies that the user owns the address. Throws `limit_reached`. */
export const saveDevice = async (
  deps: Pick<Deps, "table" | "now" | "newId">,
  ws: WorkspaceId,
  userId: string,
  input: NewDevice,
  isOwner: () => Promise<boolean>,
): Promise<{ kind: "created" | "renewed"; device: Device; isStored: boolean }> => {
  const address = toAddress(input);
  return retryChange({ item: `the devices of ${userId}` }, async () => {
    const seen = await getItem(deps, devicesKey(ws, userId), DevicesItem);
    const devices = toDevicesOldestFirst(seen);
    const known = findDeviceOrCheckLimit(devices, toAddressId(address));
    const now = toIso(deps.now());
    const device: Device = {
      id: known?.id ?? deps.newId("dev"),
      platform: toContact(input)?.field ?? input.platform ?? known?.platform ?? "web",
      name: input.name ?? known?.name ?? null,
      createdAt: known?.createdAt ?? now,
      registeredAt: now,
      lastDeliveredAt: known?.lastDeliveredAt ?? null,
      lastFailure: null,
      receiptKey: input.receiptKey ?? known?.receiptKey,
      language: input.language ?? known?.language,
      lastTest: known?.lastTest,
      ...(known?.verifiedAt === undefined ? {} : { verifiedAt: known.verifiedAt }),
      ...(known?.stoppedAt === undefined ? {} : { stoppedAt: known.stoppedAt }),
      ...(known?.failing === undefined ? {} : { failing: known.failing }),
      ...address,
      ...(input.ways === undefined ? {} : { ways: input.ways }),
    };
    const saved = { kind: known === undefined ? "created" : "renewed", device } as const;
    if (!(await isOwner())) return { ...saved, isStored: false };
    const written = await writeDevice(deps, ws, userId, device, seen);
    return written.kind === "done" ? { ...saved, isStored: true } : AGAIN;
  });
};

export type DeviceChange<Input extends readonly unknown[] = [], Result = void> = (
  deps: TimedDeps,
  ws: WorkspaceId,
  userId: string,
  deviceId: DeviceId,
  ...input: Input
) => Promise<Result>;
type CodeChange<Result> = DeviceChange<[code: SentCode], Result>;

/** Changes one device in place. In expressions, `#id` is the device's id. */
export const changeDevice = (
  deps: TableDeps,
  ws: WorkspaceId,
  userId: string,
  deviceId: DeviceId,
  change: Expression & { update: string },
): Promise<WriteResult<DevicesItem>> =>
  updateItem(deps, devicesKey(ws, userId), DevicesItem, { ...change, names: { ...change.names, "#id": deviceId } });

/** Stores the code that is about to be sent to an address. Returns false if the device was removed. */
export const setCode: CodeChange<boolean> = async (deps, ws, userId, deviceId, code) => {
  const result = await changeDevice(deps, ws, userId, deviceId, {
    update: "SET devices.#id.code = :code",
    condition: "attribute_exists(devices.#id)",
    values: { ":code": code },
  });
  return result.kind === "done";
};

/** Counts a try before the comparison, so concurrent tries count. Returns undefined if the code changed or no try is left. */
export const countTry: CodeChange<SentCode | undefined> = async (deps, ws, userId, deviceId, code) => {
  const result = await changeDevice(deps, ws, userId, deviceId, {
    update: "SET devices.#id.code.tries = devices.#id.code.tries + :one",
    condition: "devices.#id.code.#hash = :hash AND devices.#id.code.tries < :most",
    names: { "#hash": "hash" },
    values: { ":one": 1, ":hash": code.hash, ":most": CODE_TRIES_MAX },
  });
  return result.kind === "done" ? result.item?.devices[deviceId]?.code : undefined;
};

/** Stores that an address is verified and reachable, because the code arrived. Returns undefined if a newer code was sent. */
export const setVerified: CodeChange<Device | undefined> = async (deps, ws, userId, deviceId, code) => {
  // The higher version makes a concurrent registration fail, because the registration could undo this write.
  const result = await changeDevice(deps, ws, userId, deviceId, {
    update:
      "SET devices.#id.verifiedAt = :now, devices.#id.lastDeliveredAt = :now, #version = #version + :one REMOVE devices.#id.code, devices.#id.stoppedAt, devices.#id.failing",
    condition: "devices.#id.code.#hash = :hash",
    names: { "#hash": "hash", "#version": "version" },
    values: { ":now": toIso(deps.now()), ":one": 1, ":hash": code.hash },
  });
  const device = result.item?.devices[deviceId];
  return device !== undefined && device.verifiedAt !== undefined ? device : undefined;
};

/** Stores that a phone number's owner has stopped its messages. Nothing is sent until the number is verified again. */
export const setContactStopped: DeviceChange = async (deps, ws, userId, deviceId) => {
  await changeDevice(deps, ws, userId, deviceId, {
    update: "SET devices.#id.stoppedAt = :now, #version = #version + :one REMOVE devices.#id.verifiedAt",
    condition: "attribute_exists(devices.#id.verifiedAt)",
    names: { "#version": "version" },
    values: { ":now": toIso(deps.now()), ":one": 1 },
  });
};

/**
 * Removes the user from a phone number's owners at once. Returns a write that removes users from the owner item of the device's
 * address: those for whom `isGone` is true, by default only this user. Returns undefined if the owner item does not exist.
 */
export const prepareOwnerRemoval = async (
  deps: TableDeps,
  ws: WorkspaceId,
  userId: string,
  device: Device,
  isGone = (user: { ws: WorkspaceId; userId: string }): boolean => user.ws === ws && user.userId === userId,
): Promise<Write | undefined> => {
  const hash = Buffer.from(await sha256(toAddressId(toAddress(device)))).toString("hex");
  if (device.phone !== undefined) await removePhoneOwner(deps, hash, { ws, userId });
  const owner = await readTokenOwner(deps, hash);
  return owner === undefined ? undefined : toMembershipRemoval(deps, hash, owner, isGone);
};

/** Removes a device, and the device's user from the address's owner item, in one transaction. */
const removeDevice = (
  deps: TableDeps,
  [ws, userId]: readonly [ws: WorkspaceId, userId: string],
  deviceId: DeviceId,
  shouldRemove: (device: Device) => boolean = () => true,
  write: (writes: readonly Write[]) => Promise<{ kind: "done" | "refused" }> = (writes) => writeTogether(deps, writes),
): Promise<Device | undefined> => {
  let known: Device | undefined;
  return retryChange({ item: `the devices of ${userId}` }, async () => {
    const item = await getItem(deps, devicesKey(ws, userId), DevicesItem);
    const device = item?.devices[deviceId];
    // Returns the device of an earlier attempt, because a retry finds no device if the removal's answer was lost.
    if (item === undefined || device === undefined || !shouldRemove(device)) return known;
    known = device;
    const forgotten = await prepareOwnerRemoval(deps, ws, userId, device);
    const remove = updateWrite(deps, devicesKey(ws, userId), {
      update: "REMOVE devices.#id SET #version = #version + :one",
      condition: "#version = :version AND attribute_exists(devices.#id)",
      names: { "#version": "version", "#id": deviceId },
      values: { ":version": item.version, ":one": 1 },
    });
    const written = await write(forgotten === undefined ? [remove] : [remove, forgotten]);
    return written.kind === "done" ? known : AGAIN;
  });
};

export const deleteDevice: DeviceChange<[], boolean> = async (deps, ws, userId, deviceId) =>
  (await removeDevice(deps, [ws, userId], deviceId)) !== undefined;

/** Removes a user's device, and records this in the audit trail. Returns the removed device, if any. */
export const removeOwnDevice = (
  deps: AuditDeps,
  ws: WorkspaceId,
  userId: string,
  deviceId: DeviceId,
): Promise<Device | undefined> => {
  const record = {
    action: "deleted",
    target: { kind: "device", id: deviceId },
    before: { userId },
    after: null,
  } as const;
  const writeWithRecord = (writes: readonly Write[]) => writeRecorded(deps, ws, record, ...writes);
  return removeDevice(deps, [ws, userId], deviceId, () => true, writeWithRecord);
};

/** Removes a device whose address the push service no longer knows, unless the device has registered again. */
export const removeUnknownDevice: DeviceChange<[registeredAt: string], "pruned" | "kept"> = async (
  deps,
  ws,
  userId,
  deviceId,
  registeredAt,
) => {
  const pruned = await removeDevice(deps, [ws, userId], deviceId, (device) => device.registeredAt === registeredAt);
  return pruned === undefined ? "kept" : "pruned";
};

export const removeDevices = async (deps: TableDeps, ws: WorkspaceId, userId: string): Promise<void> => {
  for (const { id } of await listDevices(deps, ws, userId)) await removeDevice(deps, [ws, userId], id);
  await deleteItem(deps, devicesKey(ws, userId));
};

/** Deletes the records of lost devices after the notices to the user. After a concurrent change, the notices are repeated. */
const deleteTakeoverRecords = async (deps: TableDeps, key: Key, version: number): Promise<void> => {
  await updateItem(deps, key, DevicesItem, {
    update: "REMOVE lost",
    condition: "#version = :version",
    names: { "#version": "version" },
    values: { ":version": version },
  });
};

/**
 * Removes an address from the user `userId`, who no longer owns it, and makes the user's concurrent registration retry. Removes
 * nothing if `isOwner` says that the caller has lost the address. Calls `notifyLoss` for each removed device after the removal,
 * so that the notice does not reach the device. Stores each loss until it is reported: a repeated call sends missing notices.
 */
export const removeTakenAddress = async (
  deps: TableDeps,
  ws: WorkspaceId,
  userId: string,
  address: string,
  isOwner: () => Promise<boolean>,
  notifyLoss: (device: Device) => Promise<unknown>,
): Promise<void> => {
  const key = devicesKey(ws, userId);
  await retryChange({ item: `the devices of ${userId}` }, async () => {
    const seen = await getItem(deps, key, DevicesItem);
    // Checks the owner after the read. If the user takes the address back later, the version changes and the write fails.
    if (!(await isOwner())) return undefined;
    const taken = toDevicesOldestFirst(seen).filter((device) => toAddressId(toAddress(device)) === address);
    const ids = taken.map(({ id }) => id);
    const lost = { ...seen?.lost, ...Object.fromEntries(taken.map((device) => [device.id, device])) };
    const remove = ids.length === 0 ? "" : ` REMOVE ${ids.map((_, index) => `devices.#id${index}`).join(", ")}`;
    const written =
      seen === undefined
        ? await putItemIf(deps, key, { devices: {}, version: 1 }, DevicesItem)
        : await updateItem(deps, key, DevicesItem, {
            update: `SET #version = #version + :one${ids.length === 0 ? "" : ", lost = :lost"}${remove}`,
            condition: "#version = :version",
            names: { "#version": "version", ...Object.fromEntries(ids.map((id, index) => [`#id${index}`, id])) },
            values: { ":one": 1, ":version": seen.version, ...(ids.length === 0 ? {} : { ":lost": lost }) },
          });
    if (written.kind !== "done") return AGAIN;
    const losses = Object.values(lost);
    for (const device of losses) await notifyLoss(device);
    if (losses.length > 0) await deleteTakeoverRecords(deps, key, (seen?.version ?? 0) + 1);
    return undefined;
  });
};
