import { toChannel, type Device } from "../device/device.ts";
import type { Call, Devices } from "./attempts.ts";
import type { Pack } from "./pack.ts";

/*
 * A push service refuses a device that is registered with another sender, or any device if our credentials are wrong. In the
 * first case, the push service accepts pushes to other devices.
 */

type Addressed = Pick<Device, "subscription" | "email" | "phone">;

/** Each push service checks our signature itself: acceptance by one proves nothing for another. */
const identifyPushService = (device: Addressed): string =>
  device.subscription === undefined ? toChannel(device) : new URL(device.subscription.endpoint).origin;

/** After this many refusals in a row that blame neither the device nor our signature, in about half a minute, the push ends. */
const UNCLEAR_REFUSALS = 5;

const isUnclearRefusal = ({ answer, before, device }: Call): boolean =>
  answer?.kind === "auth" &&
  answer.code.startsWith("HTTP_") &&
  device.subscription !== undefined &&
  ((before.refusals ?? 0) + 1 >= UNCLEAR_REFUSALS || device.foreignSince !== undefined);

const listAcceptingDevices = ({ recipients }: Pack, devices: Devices): Device[] =>
  recipients.flatMap(({ userId, attempts = {} }) =>
    (devices.get(userId) ?? []).filter(({ id }) => attempts[id]?.outcome === "accepted"),
  );

/**
 * Keeps `foreign` and ends the attempt if the same service has accepted a push to another device. Otherwise `foreign` becomes
 * `auth`, which is retried.
 */
export const interpretAnswers = (pack: Pack, devices: Devices, calls: readonly Call[]): Call[] => {
  const taken = calls.flatMap(({ answer, device }) => (answer?.kind === "accepted" ? [device] : []));
  const good = [...taken, ...listAcceptingDevices(pack, devices)];
  const channels = new Set(good.map(toChannel));
  const services = new Set(good.map(identifyPushService));
  return calls.map((call) => {
    const { answer, device } = call;
    const isKnown = device.foreignSince !== undefined;
    if (answer?.kind === "foreign" && !answer.proven && !isKnown && !channels.has(toChannel(device)))
      return { ...call, answer: { kind: "auth", code: answer.code } };
    if (answer?.kind === "auth" && isUnclearRefusal(call) && (isKnown || services.has(identifyPushService(device))))
      return { ...call, answer: { kind: "foreign", code: answer.code, proven: true } };
    return call;
  });
};
