import type { Deps } from "../../deps.ts";
import { createReceiptToken, type ReceiptKeys, type ReceiptSubject } from "../../domain/delivery/receipt.ts";
import { toContact, type Device } from "../../domain/device/device.ts";

/** Returns whether a device can send receipts: an app or a browser needs a key to sign them, an address or a number does not. */
const canSendReceipts = (device: Device): boolean => device.receiptKey !== undefined || toContact(device) !== undefined;

/** Reads the keys for receipts; undefined if no device can send receipts or the read fails: pushes then have no tokens. */
export const readReceiptKeys = async (
  deps: Pick<Deps, "receiptKeys" | "log">,
  devices: readonly Device[],
): Promise<ReceiptKeys | undefined> => {
  if (!devices.some(canSendReceipts)) return undefined;
  try {
    const keys = await deps.receiptKeys();
    if (keys === undefined) deps.log.warn("receipt.no_key");
    return keys;
  } catch (error) {
    deps.log.error("receipt.no_key", error);
    return undefined;
  }
};

/** Creates a device's token for a receipt. Returns undefined without `keys`, or if the device sends no receipts. */
export const createReceipt = async (
  deps: Pick<Deps, "now">,
  keys: ReceiptKeys | undefined,
  device: Device,
  receipted: Omit<ReceiptSubject, "deviceId">,
): Promise<string | undefined> =>
  keys === undefined || !canSendReceipts(device)
    ? undefined
    : createReceiptToken(keys, { ...receipted, deviceId: device.id }, deps.now());
