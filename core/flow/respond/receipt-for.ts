import type { Deps } from "../../deps.ts";
import { mintReceiptToken, type ReceiptKeys, type Receipted } from "../../domain/delivery/receipt.ts";
import { toContact, type Device } from "../../domain/device/device.ts";

/**
 * Returns whether a push to this device carries a receipt token. Browsers and apps must also sign their receipts; receipts of
 * emails, calls and text messages need only the token.
 */
const carriesReceipt = (device: Device): boolean => device.receiptKey !== undefined || toContact(device) !== undefined;

/**
 * Reads the keys for the receipt tokens of pushes to these devices, before anything is claimed; undefined if none of them sends
 * receipts. If the secret cannot be read, pushes are sent without tokens, because notifying matters more than acknowledging with
 * one press.
 */
export const readReceiptKeys = async (
  deps: Pick<Deps, "receiptKeys" | "log">,
  devices: readonly Device[],
): Promise<ReceiptKeys | undefined> => {
  if (!devices.some(carriesReceipt)) return undefined;
  try {
    const keys = await deps.receiptKeys();
    if (keys === undefined) deps.log.warn("receipt.no_key");
    return keys;
  } catch (error) {
    deps.log.error("receipt.no_key", error);
    return undefined;
  }
};

/** Returns the token of a push to a device; undefined if the device sends no receipts, or if there is no secret. */
export const createReceipt = async (
  deps: Pick<Deps, "now">,
  keys: ReceiptKeys | undefined,
  device: Device,
  receipted: Omit<Receipted, "deviceId">,
): Promise<string | undefined> =>
  keys === undefined || !carriesReceipt(device)
    ? undefined
    : mintReceiptToken(keys, { ...receipted, deviceId: device.id }, deps.now());
