import type { Deps } from "../../deps.ts";
import { mintReceipt, type Receipted } from "../../domain/delivery/receipt.ts";
import type { Device } from "../../domain/people/device.ts";

/**
 * The token that a push to a device carries; undefined if the device has no key to sign with. Without the secret the
 * push is sent all the same: being told matters more than acknowledging with one press.
 */
export const receiptFor = async (
  deps: Pick<Deps, "receiptKeys" | "now" | "log">,
  { id, receiptKey }: Device,
  receipted: Omit<Receipted, "deviceId">,
): Promise<string | undefined> => {
  if (receiptKey === undefined) return undefined;
  try {
    const keys = await deps.receiptKeys();
    if (keys !== undefined) return await mintReceipt(keys, { ...receipted, deviceId: id }, deps.now());
    deps.log.warn("receipt.no_key");
  } catch (error) {
    deps.log.error("receipt.no_key", error);
  }
  return undefined;
};
