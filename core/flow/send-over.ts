import { callsAboutEnd, toldOf } from "../domain/delivery/attempts.ts";
import { isFinished, type Pack } from "../domain/delivery/pack.ts";
import { buildMessage } from "../domain/delivery/push/message.ts";
import { addressOf } from "../domain/people/device.ts";
import type { OverMessage, SenderMessage } from "../queue/messages.ts";
import { readDevices } from "../store/devices.ts";
import { noteToldOver, readPack } from "../store/packs.ts";
import { againAt, count, noteOfDevices, sendPack, type SendDeps, type Sent } from "./send-notification.ts";

/** Pause before the next try when the push service names no time. */
const PAUSE_MS = 30_000;

/** When to look again at a pack that is still being sent; undefined once it is known who was told. */
const atRestAt = (pack: Pack, now: number): number | undefined => {
  if (pack.lease !== undefined && pack.lease.until > now) return pack.lease.until;
  return isFinished(pack) ? undefined : Math.max(pack.retryAt ?? 0, now + PAUSE_MS);
};

/**
 * Tells the devices that showed a push of this pack that its event is over. The push has the notification's own id, so
 * that it replaces the first one, and LOW priority, so that it wakes nobody. A device that took it is noted and not
 * called again; if an invocation dies in between, the same text replaces itself once more.
 */
const sendOver = async (deps: SendDeps, { ws, packId, text, state, device: done }: OverMessage): Promise<Sent> => {
  const pack = await readPack(deps, ws, packId);
  // The plan names this pack, so it will be written.
  if (pack === undefined) return againAt(deps, deps.now() + PAUSE_MS);
  const restsAt = atRestAt(pack, deps.now());
  if (restsAt !== undefined) return againAt(deps, restsAt);
  if (toldOf(pack).length === 0) return { kind: "done" };
  const userIds = pack.recipients.map(({ userId }) => userId);
  const calls = callsAboutEnd(pack, await readDevices(deps, ws, userIds)).filter(({ device }) => device.id !== done);
  await Promise.all(
    calls.map(async (call) => {
      const { device, notificationId } = call;
      call.answer = await deps.push.send(
        buildMessage({
          workspaceId: ws,
          eventId: pack.eventId,
          notificationId,
          ...text,
          priority: "LOW",
          requiresAck: false,
          state,
          to: addressOf(device),
          platform: device.platform,
          consoleUrl: deps.baseUrl,
          nowMs: deps.now(),
        }),
      );
    }),
  );
  count(deps, calls);
  deps.log.info("pack.over", { workspaceId: ws, eventId: pack.eventId, packId, calls: calls.length });
  await noteOfDevices(deps, pack, calls);
  // An acknowledgement is not noted, because it is not the end: the message about the resolve still comes.
  if (state === "acknowledged") return { kind: "done" };
  const left = calls.filter(({ answer }) => answer?.kind === "retry");
  const told = calls.filter((call) => !left.includes(call)).map(({ device }) => device.id);
  if (told.length > 0) await noteToldOver(deps, pack, [...pack.toldOver, ...told]);
  if (left.length === 0) return { kind: "done" };
  const pauses = left.map(({ answer }) => (answer?.kind === "retry" ? (answer.retryAfterMs ?? PAUSE_MS) : PAUSE_MS));
  return againAt(deps, deps.now() + Math.max(...pauses));
};

/** Does what a message to the sender asks for. */
export const send = (deps: SendDeps, message: SenderMessage): Promise<Sent> =>
  "kind" in message ? sendOver(deps, message) : sendPack(deps, message);
