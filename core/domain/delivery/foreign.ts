import { toChannel, type Device } from "../device/device.ts";
import type { Call, Devices } from "./attempts.ts";
import type { Pack } from "./pack.ts";

/* If a push service accepts one device but refuses another, our credentials are right: the other device must register again. */

type AddressFields = Pick<Device, "subscription" | "email" | "phone">;

/** Returns an id of the push service. Each service checks our signature: acceptance by one service proves nothing for another. */
const identifyPushService = (device: AddressFields): string =>
  device.subscription === undefined ? toChannel(device) : new URL(device.subscription.endpoint).origin;

/** The number of unexplained refusals in a row (about half a minute) after which the device counts as `foreign`. */
const UNCLEAR_REFUSALS = 5;

/** Returns whether a browser's push service has refused our credentials often enough to suspect the device. */
const isDeviceSuspect = ({ answer, before, device }: Call): boolean =>
  answer?.kind === "auth" &&
  answer.code.startsWith("HTTP_") &&
  device.subscription !== undefined &&
  ((before.refusals ?? 0) + 1 >= UNCLEAR_REFUSALS || device.foreignSince !== undefined);

const listDevicesWithAcceptedPush = ({ recipients }: Pack, devices: Devices): Device[] =>
  recipients.flatMap(({ userId, attempts = {} }) =>
    (devices.get(userId) ?? []).filter(({ id }) => attempts[id]?.outcome === "accepted"),
  );

/** Changes refusals to `foreign` if other accepted pushes prove our credentials right, or else to `auth`, which is retried. */
export const interpretAnswers = (pack: Pack, devices: Devices, calls: readonly Call[]): Call[] => {
  const taken = calls.flatMap(({ answer, device }) => (answer?.kind === "accepted" ? [device] : []));
  const good = [...taken, ...listDevicesWithAcceptedPush(pack, devices)];
  const channels = new Set(good.map(toChannel));
  const services = new Set(good.map(identifyPushService));
  return calls.map((call) => {
    const { answer, device } = call;
    const isKnown = device.foreignSince !== undefined;
    if (answer?.kind === "foreign" && !answer.proven && !isKnown && !channels.has(toChannel(device)))
      return { ...call, answer: { kind: "auth", code: answer.code } };
    if (answer?.kind === "auth" && isDeviceSuspect(call) && (isKnown || services.has(identifyPushService(device))))
      return { ...call, answer: { kind: "foreign", code: answer.code, proven: true } };
    return call;
  });
};
