import type { Deps } from "../../deps.ts";
import { isId } from "../../domain/basics/ids.ts";
import { Refusal } from "../../domain/basics/refusal.ts";
import type { DeliveryEvent } from "../../domain/delivery/push/delivery-event.ts";
import { verifyReceiptToken, type ReceiptSubject } from "../../domain/delivery/receipt.ts";
import { toAddress, toAddressId, isVerified, type Device } from "../../domain/device/device.ts";
import { createFailingDeviceNotice } from "../../domain/event/notices.ts";
import { storeMessageArrived, storeContactFailing, storeMessageLost } from "../../store/people/contact-state.ts";
import { storeTestShown } from "../../store/people/device-states.ts";
import { listDevices } from "../../store/people/devices.ts";
import { readMember } from "../../store/people/read-members.ts";
import { createOwnIngest, type IngestDeps } from "../ingest/ingest-event.ts";
import type { FollowDeps } from "../respond/follow.ts";
import { processReport } from "../respond/report-notification.ts";

export type DeliveryEventDeps = Pick<Deps, "receiptKeys"> & IngestDeps & { queues: FollowDeps["queues"] };

type Addressee = ReceiptSubject & { device: Device };

/** Returns the receipt's person and device; undefined unless the person is a member and owns this verified address. */
const findAddressee = async (
  deps: DeliveryEventDeps,
  { receipt, to }: DeliveryEvent,
): Promise<Addressee | undefined> => {
  const keys = await deps.receiptKeys();
  const receipted = keys === undefined ? undefined : await verifyReceiptToken(keys, receipt, deps.now());
  if (receipted === undefined) return undefined;
  const { workspaceId: ws, userId, deviceId } = receipted;
  const [member, devices] = await Promise.all([readMember(deps, ws, userId), listDevices(deps, ws, userId)]);
  const device = devices.find(({ id }) => id === deviceId);
  if (member === undefined || device === undefined || !isVerified(device)) return undefined;
  const address = to.field === "email" ? { email: to.address } : { phone: to.address };
  return toAddressId(toAddress(device)) === toAddressId(address) ? { ...receipted, device } : undefined;
};

const reportNotificationArrival = async (deps: DeliveryEventDeps, { workspaceId, about }: Addressee): Promise<void> => {
  try {
    await processReport(deps, workspaceId, about, "DELIVERED");
  } catch (error) {
    if (!(error instanceof Refusal && error.kind === "not_found")) throw error;
  }
};

/** Stores that a message arrived, with its test or notification and with the device. `sentAt`: when it was sent. */
const storeArrival = async (deps: DeliveryEventDeps, addressee: Addressee, sentAt: string): Promise<void> => {
  const { workspaceId: ws, userId, deviceId, about } = addressee;
  if (isId("tst", about)) await storeTestShown(deps, ws, userId, deviceId, about);
  else await reportNotificationArrival(deps, addressee);
  await storeMessageArrived(deps, ws, userId, deviceId, sentAt);
};

/** Notifies the address's owner by other channels, once per series of failures. */
const notifyOfFailure = async (
  deps: DeliveryEventDeps,
  addressee: Addressee,
  failure: { at: string; code: string },
): Promise<void> => {
  const { workspaceId: ws, userId, deviceId } = addressee;
  const device = await storeContactFailing(deps, ws, userId, deviceId, failure);
  if (device?.failing === undefined) return;
  await createOwnIngest(deps)({ workspaceId: ws, ...createFailingDeviceNotice(userId, device, device.failing) });
};

/** Processes a delivery event. Ignores an event that is repeated or late, has no valid token, or concerns a removed address. */
export const processDeliveryEvent = async (deps: DeliveryEventDeps, event: DeliveryEvent): Promise<void> => {
  const { fate, code, sentAt } = event;
  const addressee = await findAddressee(deps, event);
  deps.log.info("contact.event", { way: event.to.field, code, known: addressee !== undefined });
  if (addressee === undefined) return;
  if (fate === "arrived") return storeArrival(deps, addressee, sentAt);
  if (fate === "failing") return notifyOfFailure(deps, addressee, { at: sentAt, code });
  await storeMessageLost(deps, addressee.workspaceId, addressee.userId, addressee.deviceId, { at: sentAt, code });
};
