import type { Deps } from "../../deps.ts";
import { mintReceiptToken, type ReceiptKeys, type Receipted } from "../../domain/delivery/receipt.ts";
import { toContact, type Device } from "../../domain/device/device.ts";

/**
 * Returns whether a push to this device carries a receipt token. A browser or an app must also sign its receipt; a
 * mailbox, a pressed key, and a report about a text message need only the token.
 */
const carriesReceipt = (device: Device): boolean => device.receiptKey !== undefined || toContact(device) !== undefined;

/**
 * Reads the keys for the receipt tokens of pushes to these devices, before anything is claimed; undefined if none of
 * them sends receipts. Without the secret, pushes are sent nevertheless: notifying matters more than acknowledging
 * with one press.
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
