import type { Deps } from "../../deps.ts";
import { mintReceiptToken, type ReceiptKeys, type Receipted } from "../../domain/delivery/receipt.ts";
import { toContact, type Device } from "../../domain/device/device.ts";

/** Browsers and apps must also sign their receipts; emails, calls and text messages need only the token. */
const carriesReceipt = (device: Device): boolean => device.receiptKey !== undefined || toContact(device) !== undefined;

/** Without keys, pushes are sent without tokens, because notifying people matters more than receipts. */
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

/** Undefined if the device sends no receipts, or if there is no secret. */
export const createReceipt = async (
  deps: Pick<Deps, "now">,
  keys: ReceiptKeys | undefined,
  device: Device,
  receipted: Omit<Receipted, "deviceId">,
): Promise<string | undefined> =>
  keys === undefined || !carriesReceipt(device)
    ? undefined
    : mintReceiptToken(keys, { ...receipted, deviceId: device.id }, deps.now());
