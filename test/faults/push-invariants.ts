import type { StoredEvent } from "../../core/domain/event/stored-event.ts";
import type { Pack } from "../../core/domain/delivery/pack.ts";
import type { Deps } from "../../core/deps.ts";
import { wasNotNeeded, NO_DEVICES } from "../../core/domain/delivery/notification.ts";
import { parseNotificationId } from "../../core/domain/basics/ids.ts";
import { toIso } from "../../core/domain/basics/time.ts";
import { listDeviceChannels, phoneChannels, type Device, type PaidChannel } from "../../core/domain/device/device.ts";
import { listDevices } from "../../core/store/people/devices.ts";
import { CALL_MS, type PushCall, readToken } from "./engine/fcm.ts";
import { unanswered } from "./engine/modes.ts";
import { services } from "./engine/outside.ts";
import type { Fixture } from "./fixtures.ts";
import type { Play } from "./scenario.ts";

export type FinalState = { fixture: Fixture; events: StoredEvent[]; packs: Pack[] };

export const listPushCalls = ({ world }: Play, { ws }: Fixture, notificationId: string): readonly PushCall[] =>
  world.fcm.callsFor(ws, notificationId);

/**
 * Checks that each accepted text message and call was counted before it was sent. Messages with an unknown outcome stay
 * counted. After a fault, unsent messages may stay counted.
 */
export const checkPaidMessages = (play: Play, fixture: Fixture, faults: number): string[] =>
  phoneChannels.flatMap((channel) => checkPaidMessagesOf(channel, play, fixture, faults));

const checkPaidMessagesOf = (paid: PaidChannel, { world }: Play, { ws, tokens }: Fixture, faults: number): string[] => {
  const items = world.dynamo.list(`WS#${ws}#${paid.toUpperCase()}`);
  const counted = items.reduce((sum, item) => sum + Number(item["sent"]?.N), 0);
  const all = [...world.fcm.calls, ...world.fcm.otherPushes];
  const calls = all.filter(({ workspaceId, channel }) => workspaceId === ws && channel === paid);
  const taken = calls.filter(({ acceptedAt }) => acceptedAt !== undefined).length;
  // Calls with an unknown outcome, and repeated calls that only Connect recognised, may be counted or not.
  const unclear = calls.filter((call) => call.acceptedAt === undefined && (isUnknown(call) || call.isRepeat)).length;
  const repeated = world.calls.records.filter(({ mode }) => mode !== undefined && unanswered.includes(mode)).length;
  // One throttling may keep two senders from correcting their counts.
  const unsettled = world.logs.filter(({ code }) => code === "budget.not_settled").length;
  // A pack's messages are counted in one write, so one fault may leave all of them counted.
  const most = [...(tokens ?? [])].flatMap(([, own]) => own).length;
  if (counted >= taken && counted <= taken + unclear + most * (Math.max(faults, repeated) + unsettled)) return [];
  return [`budget: ${counted} ${paid} messages counted, ${taken} accepted, ${unclear} unclear, ${faults} faults`];
};

/** Returns whether the call's outcome is unknown, so that the push may be sent again. */
export const isUnknown = (call: PushCall): boolean =>
  call.answer === "unknown" || (!call.isStored && (call.invocation.state === "dead" || call.invocation.isFaulted));

const finalAnswers: readonly PushCall["answer"][] = ["accepted", "unregistered", "invalid", "foreign"];
const statusesWithoutPush: readonly string[] = ["ACKNOWLEDGED", "OPENED", "DELIVERED"];

/** Checks that each registered device was called until its answer was final or, if `mayEnd`, its outcome was unclear twice. */
export const checkAllDevices = async (
  deps: Deps,
  play: Play,
  { fixture, packs }: FinalState,
  mayEnd: boolean,
): Promise<string[]> => {
  if (packs.length === 0) return [];
  const found: string[] = [];
  const known = new Map<string, Promise<Device[]>>();
  const devicesOf = (userId: string) => {
    const devices = known.get(userId) ?? listDevices(deps, fixture.ws, userId);
    known.set(userId, devices);
    return devices;
  };
  const start = Math.min(...packs.map(({ createdAt }) => createdAt));
  const began = toIso(start);
  // A delayed registration stores the time of its request, which may be before the event.
  const isStoredLater = (userId: string): boolean =>
    play.world.calls.records.some(
      ({ caller, request, at }) =>
        caller.startsWith("register-device") &&
        request.endsWith(`Item WS#${fixture.ws}#DEVICES ${userId}`) &&
        at >= start,
    );
  for (const { notificationId, userId, status, failedReason, attempts } of packs.flatMap((pack) => pack.recipients)) {
    if (statusesWithoutPush.includes(status) || wasNotNeeded(failedReason ?? null)) continue;
    const tokens = fixture.tokens?.get(userId) ?? [];
    const held = (await devicesOf(userId)).flatMap((device) => {
      const token = readToken(device);
      const [line] = listDeviceChannels([device]);
      // For a browser that is known to have another key, the answer `auth` is final, too.
      const isKnownForeign = device.foreignSince !== undefined && device.subscription !== undefined;
      const ends: readonly PushCall["answer"][] = isKnownForeign ? [...finalAnswers, "auth"] : finalAnswers;
      return tokens.includes(token) ? [{ key: line?.key ?? "", token, since: device.registeredAt, ends }] : [];
    });
    // A device that was removed may have been registered again.
    const before = held.filter(({ since }) => since < began).length;
    if (failedReason === NO_DEVICES && before > 0 && !isStoredLater(userId))
      found.push(`P1: ${notificationId} failed because no device was found, but ${userId} has ${before}`);
    if (failedReason === NO_DEVICES || failedReason?.includes("expired") === true) continue;
    for (const { key, token, ends } of held) {
      if (mayEnd && attempts?.[key]?.outcome === "unclear") continue;
      const last = listPushCalls(play, fixture, notificationId).findLast((call) => call.token === token);
      if (last === undefined) found.push(`P1: ${notificationId} is ${status}, but ${token} was never called`);
      else if (!ends.includes(last.answer))
        found.push(
          `P1: ${notificationId} is ${status}, but the sender gave up ${token} after the answer ${last.answer}`,
        );
    }
  }
  return found;
};

/** Checks that every push goes to a device of its recipient, in the workspace of its event. */
export const checkPushOwners = ({ world }: Play, all: readonly FinalState[]): string[] => {
  const owners = new Map(
    all.flatMap(({ fixture: { ws }, packs }) =>
      packs.flatMap(({ recipients }) =>
        recipients.map(({ notificationId, userId }) => [`${ws} ${notificationId}`, userId] as const),
      ),
    ),
  );
  const tokensOf = new Map(all.map(({ fixture: { ws, tokens, laterTokens } }) => [ws, laterTokens ?? tokens]));
  return world.fcm.calls.flatMap(({ workspaceId, notificationId, token }) => {
    const tokens = tokensOf.get(workspaceId);
    if (tokens === undefined && tokensOf.has(workspaceId)) return [];
    const owner = owners.get(`${workspaceId} ${notificationId}`) ?? "";
    return tokens?.get(owner)?.includes(token) === true
      ? []
      : [`P5: ${notificationId} of ${workspaceId} was sent to ${token}`];
  });
};

/** Returns whether a device was refused as foreign before another device had accepted a push of the same pack. */
const isUnproven = (
  world: Play["world"],
  { answer, at, channel, workspaceId, notificationId, invocation }: PushCall,
) => {
  const pack = parseNotificationId(notificationId)?.packId;
  return (
    answer === "foreign" &&
    !world.fcm.calls.some(
      (other) =>
        other.workspaceId === workspaceId &&
        parseNotificationId(other.notificationId)?.packId === pack &&
        other.channel === channel &&
        other.answer === "accepted" &&
        other.isStored &&
        (other.invocation === invocation || other.at < at),
    )
  );
};

export const checkNoPushTwice = ({ world }: Play): string[] => {
  const found: string[] = [];
  const groups = Map.groupBy(
    world.fcm.calls,
    ({ workspaceId, notificationId, token, pagesAgain }) =>
      `${workspaceId} ${notificationId} to ${token}${pagesAgain ? " again" : ""}`,
  );
  for (const [name, calls] of groups) {
    const taken = calls.filter(({ acceptedAt }) => acceptedAt !== undefined).length;
    const unknown = calls.filter(isUnknown).length;
    if (taken > 1 + Math.min(1, unknown))
      found.push(`P2: FCM accepted ${name} ${taken} times, with ${unknown} unknown outcomes`);
    const [{ channel } = { channel: "fcm" as const }] = calls;
    const times = calls.flatMap(({ acceptedAt }) => acceptedAt ?? []).toSorted((one, other) => one - other);
    if (channel === "voice" && times.some((at, index) => at - (times[index - 1] ?? -Infinity) < CALL_MS))
      found.push(`P2: Connect called ${name} while it was calling`);
    if (taken > 1) world.seen.add("a push was repeated after an unknown outcome");
    if (taken > 1 && channel !== "fcm")
      world.seen.add(`${services[channel]} accepted a repeated message after a lost answer`);
    if (calls.some(({ isRepeat }) => isRepeat)) world.seen.add("Connect recognized a repeated call");
    for (const [index, call] of calls.entries()) {
      const last = calls[index - 1];
      if (last === undefined) continue;
      if (calls.slice(0, index).filter(isUnknown).length > 1)
        found.push(`P2: ${name} was sent again after two unknown outcomes`);
      const again = last.answer === "retry" || last.answer === "auth" || isUnknown(last) || isUnproven(world, last);
      if (!again) found.push(`P2: ${name} was sent again after the answer ${last.answer}`);
      if (last.answer === "retry") world.seen.add("a push was repeated when FCM asked for it");
      if (call.at <= last.at) found.push(`P2: ${name} was sent twice at the same time`);
    }
  }
  return found;
};
