import type { Deps } from "../../deps.ts";
import { isId } from "../../domain/basics/ids.ts";
import { Refusal } from "../../domain/basics/refusal.ts";
import {
  isSignedByKey,
  verifyReceiptToken,
  type ReceiptAnswer,
  type ReceiptInput,
} from "../../domain/delivery/receipt.ts";
import { isVerified, type Device } from "../../domain/device/device.ts";
import { parseRoundId } from "../../domain/heartbeat/switch.ts";
import { sendMessages } from "../../queue/send.ts";
import { setTestEventConfirmed } from "../../store/schedules/switches.ts";
import { storeTestShown } from "../../store/people/device-states.ts";
import { listDevices } from "../../store/people/devices.ts";
import { setProbeConfirmed } from "../../store/schedules/probes.ts";
import { readMember } from "../../store/people/read-members.ts";
import { readWorkspace } from "../../store/people/read-workspace.ts";
import { processReportAndNotify } from "./report-notification.ts";
import type { NotifyDeps } from "./notify-end.ts";

export type ReceiptDeps = Pick<Deps, "table" | "now" | "log" | "receiptKeys"> & NotifyDeps;

/** Returns the same refusal for all invalid receipts, so that an attacker learns nothing. */
export const refuseReceipt = (): Refusal =>
  new Refusal("unauthenticated", "The receipt is not valid.", { challenge: "Receipt" });

/** Returns whether a receipt comes from the device. An email address needs only the token, any other device also a signature. */
const isFromDevice = async (device: Device, input: ReceiptInput): Promise<boolean> => {
  if (device.email !== undefined) return isVerified(device);
  return device.receiptKey !== undefined && isSignedByKey(device.receiptKey, input);
};

/** Processes a receipt. Checks the token before any read. Throws `unauthenticated`, even for the receipt of another device. */
export const processReceipt = async (deps: ReceiptDeps, input: ReceiptInput): Promise<ReceiptAnswer> => {
  const keys = await deps.receiptKeys();
  const receipted = keys === undefined ? undefined : await verifyReceiptToken(keys, input.token, deps.now());
  if (receipted === undefined) throw refuseReceipt();
  const { workspaceId: ws, userId, deviceId, about } = receipted;
  const { status } = input;
  const [member, devices, workspace] = await Promise.all([
    readMember(deps, ws, userId),
    listDevices(deps, ws, userId),
    status === "ACKNOWLEDGED" ? readWorkspace(deps, ws) : undefined,
  ]);
  const device = devices.find(({ id }) => id === deviceId);
  if (member === undefined || device === undefined || !(await isFromDevice(device, input))) throw refuseReceipt();
  if (workspace?.openToAcknowledge === true) throw refuseReceipt();
  if (isId("tst", about)) {
    await storeTestShown(deps, ws, userId, deviceId, about);
    return { status: "DELIVERED" };
  }
  if (isId("prb", about)) {
    await setProbeConfirmed(deps, ws, { userId, id: about });
    return { status: "DELIVERED" };
  }
  const round = parseRoundId(about);
  if (round !== undefined) {
    if (await setTestEventConfirmed(deps, ws, round, deviceId))
      await sendMessages(deps.queues.webhooks, [{ message: { kind: "switch", ws, round } }]);
    return { status: "DELIVERED" };
  }
  const by = { id: userId, name: member.name, device: deviceId };
  const { recipient } = await processReportAndNotify(deps, ws, about, status, by);
  return { status: recipient.status };
};
