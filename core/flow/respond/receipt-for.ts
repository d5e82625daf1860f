import type { Deps } from "../../deps.ts";
import { mintReceipt, type ReceiptKeys, type Receipted } from "../../domain/delivery/receipt.ts";
import { contactOf, type Device } from "../../domain/device/device.ts";

/**
 * Whether the token of a push to this device is sufficient alone: a browser or an app must sign; a mailbox, the keys
 * of a call, and the report about a text message need not.
 */
const takesReceipt = (device: Device): boolean => device.receiptKey !== undefined || contactOf(device) !== undefined;

/**
 * The keys for the tokens of pushes to these devices, read before anything is claimed; undefined if none of them
 * sends receipts. Without the secret the pushes are sent nevertheless: notifying matters more than acknowledging with
 * one press.
 */
export const readReceiptKeys = async (
  deps: Pick<Deps, "receiptKeys" | "log">,
  devices: readonly Device[],
): Promise<ReceiptKeys | undefined> => {
  if (!devices.some(takesReceipt)) return undefined;
  try {
    const keys = await deps.receiptKeys();
    if (keys === undefined) deps.log.warn("receipt.no_key");
    return keys;
  } catch (error) {
    deps.log.error("receipt.no_key", error);
    return undefined;
  }
};

/** The token that a push to a device carries; undefined if the device sends no receipts, or there is no secret. */
export const receiptFor = async (
  deps: Pick<Deps, "now">,
  keys: ReceiptKeys | undefined,
  device: Device,
  receipted: Omit<Receipted, "deviceId">,
): Promise<string | undefined> =>
  keys === undefined || !takesReceipt(device)
    ? undefined
    : mintReceipt(keys, { ...receipted, deviceId: device.id }, deps.now());
