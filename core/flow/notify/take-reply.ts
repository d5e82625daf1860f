import type { Deps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { toIso } from "../../domain/basics/time.ts";
import { DAY_MS } from "../../domain/basics/units.ts";
import { NOTIFICATIONS_SEARCHED_MAX } from "../../domain/basics/limits.ts";
import type { DeviceAttempt } from "../../domain/delivery/notification.ts";
import type { Pack, PackRecipient } from "../../domain/delivery/pack.ts";
import { computeReplyDigit, readReply, type PhoneReply } from "../../domain/delivery/push/reply.ts";
import { buildAnswerSms } from "../../domain/delivery/push/sms.ts";
import { isVerified, type Device } from "../../domain/device/device.ts";
import type { Member } from "../../domain/people/member.ts";
import { listDevices } from "../../store/people/devices.ts";
import { readMember } from "../../store/people/read-members.ts";
import { walkNewestPacks } from "../../store/delivery/packs.ts";
import { countAnswerIfAllowed, readPhoneOwners } from "../../store/people/phones.ts";
import { readWorkspace } from "../../store/people/read-workspace.ts";
import { processReportAndNotify } from "../respond/report-notification.ts";
import { sendWithinBudget, type BudgetDeps } from "../admin/budget.ts";
import type { NotifyDeps } from "../respond/notify-end.ts";
import type { IngestDeps } from "../ingest/ingest-event.ts";
import { readEventView } from "../read/read-event.ts";
import { stopContact } from "./stop-contact.ts";

export type ReplyDeps = BudgetDeps & Pick<Deps, "push"> & { queues: IngestDeps["queues"] & NotifyDeps["queues"] };

/** A person who has verified the phone number that a reply came from. */
type Owner = { ws: WorkspaceId; member: Member; device: Device };

type Notified = { owner: Owner; pack: Pack; recipient: PackRecipient };

/** Returns when the recipient's first text message was due, in milliseconds. */
const findDueTimeOfFirstSms = ({ recipient, pack }: Notified): number =>
  recipient.rings?.find(({ ways }) => ways.includes("sms"))?.at ?? pack.createdAt;

const REPLY_ACCEPTED_WITHIN_MS = DAY_MS;

const listPhoneOwners = async (deps: ReplyDeps, phone: string): Promise<Owner[]> => {
  const owners: Owner[] = [];
  for (const { ws, userId } of await readPhoneOwners(deps, phone)) {
    const device = (await listDevices(deps, ws, userId)).find((item) => item.phone === phone && isVerified(item));
    const member = device === undefined ? undefined : await readMember(deps, ws, userId);
    if (device !== undefined && member !== undefined) owners.push({ ws, member, device });
  }
  return owners;
};

/** Returns whether the person may have got the message, because a reply can arrive before the message's outcome is stored. */
const mayHaveArrived = ({ outcome, unknowns }: DeviceAttempt): boolean =>
  outcome === "accepted" || outcome === "sending" || unknowns > 0;

/** Returns a person's notifications of the last day that this digit acknowledges, the newest first. */
const listNotificationsWithDigit = async (deps: ReplyDeps, owner: Owner, digit: number): Promise<Notified[]> => {
  const notified: Notified[] = [];
  for await (const pack of walkNewestPacks(deps, owner.ws, NOTIFICATIONS_SEARCHED_MAX)) {
    if (pack.createdAt < deps.now() - REPLY_ACCEPTED_WITHIN_MS) break;
    if (!pack.requiresAck || computeReplyDigit(pack.eventId) !== digit) continue;
    const recipient = pack.recipients.find(({ userId }) => userId === owner.member.userId);
    const attempt = recipient?.attempts?.[owner.device.id];
    if (recipient !== undefined && attempt !== undefined && mayHaveArrived(attempt))
      notified.push({ owner, pack, recipient });
  }
  return notified;
};

const acknowledgeByReply = async (deps: ReplyDeps, notified: readonly Notified[]): Promise<void> => {
  for (const { owner, recipient } of notified)
    await processReportAndNotify(deps, owner.ws, recipient.notificationId, "ACKNOWLEDGED", {
      id: owner.member.userId,
      name: owner.member.name,
      device: owner.device.id,
    });
};

/** Returns a key that identifies the notification's event across all workspaces. */
const toUniqueEventId = ({ owner, pack }: Notified): string => `${owner.ws} ${pack.eventId}`;

/** `owner`: the person whose workspace pays for the answer. */
type Answer = { text: string; owner: Owner | undefined };

/** Acknowledges the open event with this digit, unless its message was sent after the reply. Returns the answer to the reply. */
const processDigit = async (
  deps: ReplyDeps,
  owners: readonly Owner[],
  { digit, inboundMessageId, publishedAt }: PhoneReply & { digit: number },
): Promise<Answer> => {
  const notified = (await Promise.all(owners.map((owner) => listNotificationsWithDigit(deps, owner, digit)))).flat();
  const events = [
    ...Map.groupBy(
      notified.filter((one) => findDueTimeOfFirstSms(one) <= publishedAt),
      toUniqueEventId,
    ).values(),
  ];
  const [newest] = events;
  if (newest === undefined) {
    const [later] = notified;
    if (later === undefined) return { text: `No alert of the last day has the number ${digit}.`, owner: undefined };
    const { workspaceId, eventId, title } = later.pack;
    deps.log.info("sms.reply_late", { workspaceId, eventId, inboundId: inboundMessageId, sentAt: toIso(publishedAt) });
    const text = `Your reply arrived late and acknowledged nothing. Reply ${digit} again to acknowledge: ${title}`;
    return { text, owner: later.owner };
  }
  const views = await Promise.all(
    events.map(async ([one]) => (one === undefined ? undefined : readEventView(deps, one.owner.ws, one.pack.eventId))),
  );
  const open = events.filter((_, index) => views[index]?.state === "open");
  const [chosen = newest] = open;
  const createAnswer = (text: string): Answer => ({ text, owner: chosen[0]?.owner });
  if (open.length > 1)
    return createAnswer(`${open.length} open alerts have the number ${digit}. Acknowledge them in the console.`);
  const title = chosen[0]?.pack.title ?? "";
  const own = chosen.some(({ recipient }) => recipient.status === "ACKNOWLEDGED");
  if (open.length === 0 && !own) return createAnswer(`Already closed: ${title}`);
  const owner = chosen[0]?.owner;
  if (owner !== undefined && (await readWorkspace(deps, owner.ws))?.openToAcknowledge === true)
    return createAnswer(`Open the console to acknowledge: ${title}`);
  await acknowledgeByReply(deps, chosen);
  return createAnswer(open.length === 0 ? `You have already acknowledged: ${title}` : `Acknowledged: ${title}`);
};

/** Processes a reply. A digit acknowledges its event. STOP applies to everybody with the number, and gets no answer. */
export const processReply = async (deps: ReplyDeps, message: PhoneReply) => {
  const { originationNumber: phone, messageBody, inboundMessageId, publishedAt } = message;
  const owners = await listPhoneOwners(deps, phone);
  const [first] = owners;
  const reply = readReply(messageBody);
  deps.log.info("sms.reply", { kind: reply?.kind ?? "other", people: owners.length, inboundId: inboundMessageId });
  if (first === undefined) return;
  if (reply?.kind === "stop") {
    // People who verified the number again after the reply STOP keep the number.
    const before = owners.filter(({ device: { verifiedAt = "" } }) => verifiedAt <= toIso(publishedAt));
    for (const { ws, member, device } of before) await stopContact(deps, ws, member.userId, device.id);
    return;
  }
  const { text, owner = first }: Answer =
    reply === undefined
      ? { text: "Reply to an alert with its number to acknowledge it.", owner: first }
      : await processDigit(deps, owners, { ...message, digit: reply.digit });
  // The answer is counted before it is sent, so that a repeated message gets at most one answer.
  if (!(await countAnswerIfAllowed(deps, phone, inboundMessageId))) return;
  const answer = buildAnswerSms(owner.ws, phone, text);
  await sendWithinBudget(deps, owner.ws, answer, () => deps.push.send(answer, owner.device));
};
