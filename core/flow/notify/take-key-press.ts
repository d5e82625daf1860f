import type { Deps } from "../../deps.ts";
import { isId, parseNotificationId, parsePackId } from "../../domain/basics/ids.ts";
import type { Pack, PackRecipient } from "../../domain/delivery/pack.ts";
import { KEYS } from "../../domain/delivery/push/call.ts";
import type { PressAnswer, PressEvent } from "../../domain/delivery/push/press.ts";
import { verifyReceiptToken, type ReceiptSubject } from "../../domain/delivery/receipt.ts";
import { isVerified, listChannels, type Device } from "../../domain/device/device.ts";
import { toRole, type Member } from "../../domain/people/member.ts";
import { includesRole } from "../../domain/people/role.ts";
import { storeTestShown } from "../../store/people/device-states.ts";
import { listDevices } from "../../store/people/devices.ts";
import { readMember, readOwners } from "../../store/people/read-members.ts";
import { readPack } from "../../store/delivery/packs.ts";
import { readWorkspace } from "../../store/people/read-workspace.ts";
import { processReportAndNotify } from "../respond/report-notification.ts";
import { escalateForRecipient } from "../respond/respond.ts";
import type { NotifyDeps } from "../respond/notify-end.ts";
import { readEventView } from "../read/read-event.ts";

export type KeyDeps = Pick<Deps, "table" | "now" | "newId" | "log" | "receiptKeys"> &
  NotifyDeps & { queues: Pick<Deps["queues"], "escalations"> };

type CalledPerson = ReceiptSubject & { member: Member; device: Device };

const NOT_YOURS = "This call is no longer valid. Goodbye.";
const OWN = "You have already acknowledged this alert.";
const GONE = "This alert is over. Goodbye.";

/** Returns the member whom the call with this token reached; undefined unless `phone` is their verified number for calls. */
const findCalledPerson = async (deps: KeyDeps, token: string, phone: string): Promise<CalledPerson | undefined> => {
  const keys = await deps.receiptKeys();
  const receipted = keys === undefined ? undefined : await verifyReceiptToken(keys, token, deps.now());
  if (receipted === undefined) return undefined;
  const { workspaceId: ws, userId, deviceId } = receipted;
  const [member, devices] = await Promise.all([readMember(deps, ws, userId), listDevices(deps, ws, userId)]);
  const device = devices.find(({ id }) => id === deviceId);
  if (member === undefined || device === undefined) return undefined;
  const isOwn = device.phone === phone && isVerified(device) && listChannels(device).includes("voice");
  return isOwn ? { ...receipted, member, device } : undefined;
};

const storeReportOfCall = (
  deps: KeyDeps,
  { workspaceId, about, member, device }: CalledPerson,
  status: "DELIVERED" | "ACKNOWLEDGED",
) =>
  processReportAndNotify(deps, workspaceId, about, status, { id: member.userId, name: member.name, device: device.id });

/** Returns the text that the call says about an event that is not open; undefined for an open event. */
const describeEnd = async (
  deps: KeyDeps,
  { workspaceId, member }: CalledPerson,
  eventId: string,
): Promise<string | undefined> => {
  const view = await readEventView(deps, workspaceId, eventId);
  if (view === undefined) return GONE;
  if (view.state === "open") return undefined;
  if (view.state === "acknowledged" && view.acknowledgedBy?.id === member.userId) return OWN;
  if (view.state === "acknowledged")
    return `${view.acknowledgedBy?.name || "Somebody"} has already acknowledged this alert.`;
  return view.state === "none" ? "This alert needs no acknowledgement." : "This alert is already resolved.";
};

/** Acknowledges the event if it is open and the workspace allows acknowledging in calls. Returns the text to say. */
const acknowledgeByCall = async (
  deps: KeyDeps,
  called: CalledPerson,
  pack: Pack,
  recipient: PackRecipient,
): Promise<string> => {
  const { workspaceId: ws } = called;
  const isOpenToAcknowledge = (await readWorkspace(deps, ws))?.openToAcknowledge === true;
  const reason = await describeEnd(deps, called, pack.eventId);
  if (reason === undefined && isOpenToAcknowledge) {
    await storeReportOfCall(deps, called, "DELIVERED");
    return "Open the console to acknowledge this alert.";
  }
  // If the recipient has already acknowledged, the code continues, so that a repeated press completes an interrupted press.
  if (reason !== undefined && recipient.status !== "ACKNOWLEDGED") {
    await storeReportOfCall(deps, called, "DELIVERED");
    return reason;
  }
  await storeReportOfCall(deps, called, "ACKNOWLEDGED");
  return reason === undefined ? "Acknowledged. Thank you." : OWN;
};

const escalated = {
  told: "The alert is escalated to the next people.",
  "gone on": "This alert was already escalated.",
  nobody: "There is nobody to escalate to.",
};

/** Fires the next escalation step if the person's role allows escalating. Returns what the call says. */
const escalateByCall = async (deps: KeyDeps, called: CalledPerson, pack: Pack): Promise<string> => {
  const { workspaceId: ws, member } = called;
  await storeReportOfCall(deps, called, "DELIVERED");
  if (!includesRole(toRole(member, await readOwners(deps, ws)), "responder"))
    return "Your role does not allow you to escalate.";
  const reason = await describeEnd(deps, called, pack.eventId);
  if (reason !== undefined) return reason;
  const id = parsePackId(pack.packId);
  if (id === undefined) return GONE;
  return escalated[await escalateForRecipient(deps, ws, pack.eventId, { id: member.userId, name: member.name }, id)];
};

/** Acknowledges or escalates, by the key. Other keys, and keys in a test call, only confirm the call. Returns the text to say. */
const answerKey = async (deps: KeyDeps, called: CalledPerson, key: string): Promise<string> => {
  const { workspaceId: ws, about, member, device } = called;
  if (isId("tst", about)) {
    await storeTestShown(deps, ws, member.userId, device.id, about);
    return "Thank you. This number can be reached.";
  }
  const id = parseNotificationId(about);
  const pack = id === undefined ? undefined : await readPack(deps, ws, id.packId);
  const recipient = pack?.recipients.find(({ notificationId }) => notificationId === about);
  if (pack === undefined || recipient === undefined) return GONE;
  if (key === KEYS.acknowledge) return acknowledgeByCall(deps, called, pack, recipient);
  if (key === KEYS.escalate) return escalateByCall(deps, called, pack);
  // A key without an action still proves that the person received the call.
  await storeReportOfCall(deps, called, "DELIVERED");
  return "";
};

/** Answers a key that was pressed in a call. A repeated or late press, or a press for an event that is over, changes nothing. */
export const processKeyPress = async (deps: KeyDeps, { Details }: PressEvent): Promise<PressAnswer> => {
  const { ContactData, Parameters } = Details;
  const called = await findCalledPerson(deps, ContactData.Attributes.token, ContactData.CustomerEndpoint.Address);
  deps.log.info("voice.press", { key: Parameters.key, known: called !== undefined, contactId: ContactData.ContactId });
  return { say: called === undefined ? NOT_YOURS : await answerKey(deps, called, Parameters.key) };
};
