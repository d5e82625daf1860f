import { listEndPushes, listChannelKeysToUpdate, addJitter } from "../../domain/delivery/attempts.ts";
import { interpretAnswers } from "../../domain/delivery/foreign.ts";
import { isPackFinished, type Pack } from "../../domain/delivery/pack.ts";
import { buildMessage } from "../../domain/delivery/push/message.ts";
import { toAddress, toContact } from "../../domain/device/device.ts";
import type { EndMessage } from "../../queue/messages.ts";
import { readDevices } from "../../store/people/devices.ts";
import { setNotifiedOfEnd, readPack } from "../../store/delivery/packs.ts";
import { readReceiptKeys, createReceipt } from "../respond/receipt-for.ts";
import { updateDevices } from "./update-devices.ts";
import { retryMessageAt, logPushCounts, type SendDeps, type SendResult } from "./send-notification.ts";

/** The pause before another attempt if the push service requests no pause. */
const PAUSE_MS = 30_000;

/** Returns when to check an unfinished pack again, in milliseconds. Returns undefined for a finished pack. */
const computeNextPackCheck = (pack: Pack, now: number): number | undefined => {
  if (pack.lease !== undefined && pack.lease.until > now) return pack.lease.until;
  return isPackFinished(pack) ? undefined : Math.max(pack.retryAt ?? 0, now + PAUSE_MS);
};

/**
 * Updates devices that showed a push of this pack: the event is acknowledged or over, or other events joined its group. The new
 * push has the notification's id and LOW priority, so it silently replaces the first push. Stores which devices were updated, so
 * that they get no second update. If the invocation dies before it stores the devices, a retry sends the same text again.
 */
export const sendEndPushes = async (
  deps: SendDeps,
  { ws, packId, text, state, device: done }: EndMessage,
): Promise<SendResult> => {
  const pack = await readPack(deps, ws, packId);
  // The pack is in the plan but not written yet; the matcher will write it soon.
  if (pack === undefined) return retryMessageAt(deps, deps.now() + PAUSE_MS);
  const restsAt = computeNextPackCheck(pack, deps.now());
  if (restsAt !== undefined) return retryMessageAt(deps, restsAt);
  if (listChannelKeysToUpdate(pack).length === 0) return { kind: "done" };
  const userIds = pack.recipients.map(({ userId }) => userId);
  const devices = await readDevices(deps, ws, userIds);
  // Emails, text messages and calls cannot be replaced.
  const calls = listEndPushes(pack, devices).filter(
    ({ device }) => device.id !== done && toContact(device) === undefined,
  );
  const asks = state === "grouped" && pack.requiresAck;
  const receiptKeys = asks ? await readReceiptKeys(deps, [...devices.values()].flat()) : undefined;
  await Promise.all(
    calls.map(async (call) => {
      const { device, notificationId, position } = call;
      const userId = userIds[position] ?? "";
      call.answer = await deps.push.send(
        buildMessage({
          workspaceId: ws,
          eventId: pack.eventId,
          notificationId,
          ...text,
          priority: "LOW",
          quiet: pack.recipients[position]?.quiet,
          // The first event of a group still needs an acknowledgement, so the event's push keeps its button.
          requiresAck: asks,
          receipt: await createReceipt(deps, receiptKeys, device, { workspaceId: ws, userId, about: notificationId }),
          state,
          to: toAddress(device),
          platform: device.platform,
          consoleUrl: deps.baseUrl,
          nowMs: deps.now(),
        }),
        device,
      );
    }),
  );
  const answered = interpretAnswers(pack, devices, calls);
  logPushCounts(deps, answered);
  deps.log.info("pack.end_sent", { workspaceId: ws, eventId: pack.eventId, packId, calls: calls.length });
  await updateDevices(deps, pack, answered);
  // After an update about an acknowledgement or a group, devices also need an update about the resolution.
  if (state !== "resolved") return { kind: "done" };
  const left = calls.filter(({ answer }) => answer?.kind === "retry");
  const notified = calls.filter((call) => !left.includes(call)).map(({ device }) => device.id);
  if (notified.length > 0) await setNotifiedOfEnd(deps, pack, [...pack.toldOver, ...notified]);
  if (left.length === 0) return { kind: "done" };
  const pauses = left.map(({ answer }) => (answer?.kind === "retry" ? (answer.retryAfterMs ?? PAUSE_MS) : PAUSE_MS));
  return retryMessageAt(deps, deps.now() + addJitter(Math.max(...pauses), deps.random()));
};
