import type { Deps } from "../../deps.ts";
import type { WorkspaceId, DeviceId } from "../../domain/basics/ids.ts";
import { notFoundRefusal, refuseField } from "../../domain/basics/refusal.ts";
import {
  readChannelAddress,
  listDeviceChannels,
  listChannels,
  type Device,
  type DeviceTestAnswer,
  type DeviceChannel,
  type PhoneChannel,
} from "../../domain/device/device.ts";
import type { Language } from "../../domain/basics/language.ts";
import { chooseLanguage, getTestText } from "../../domain/device/test-text.ts";
import { toIso } from "../../domain/basics/time.ts";
import { buildMessage } from "../../domain/delivery/push/message.ts";
import type { PushOutcome } from "../../domain/delivery/push/outcome.ts";
import { setPushFailure, markForeign, clearForeignState, startDeviceTest } from "../../store/people/device-states.ts";
import { listDevices, removeUnknownDevice } from "../../store/people/devices.ts";
import { sendWithinBudget } from "./budget.ts";
import { readReceiptKeys, createReceipt } from "../respond/receipt-for.ts";
import { refuseTooSoon } from "../too-soon.ts";

export type TestDeps = Pick<Deps, "table" | "push" | "receiptKeys" | "baseUrl" | "now" | "newId" | "log" | "monthly">;

/** `proves`: whether the test is a reachability check, which is sent with a page's urgency, but silently. */
type TestText = { title: string; body: string; language: Language; proves?: true };

/** Stores whether a device failed or must register again. Removes the device if the push service does not know it. */
const storeTestOutcome = async (
  deps: TestDeps,
  ws: WorkspaceId,
  userId: string,
  device: Device,
  outcome: PushOutcome,
): Promise<void> => {
  if (outcome.kind === "unregistered") await removeUnknownDevice(deps, ws, userId, device.id, device.registeredAt);
  else if (outcome.kind === "foreign") await markForeign(deps, ws, userId, device, outcome.code);
  else if (outcome.kind !== "accepted") await setPushFailure(deps, ws, userId, device.id, outcome.code);
  else if (device.foreignSince !== undefined) await clearForeignState(deps, ws, userId, device.id);
};

/** Returns the device's channel named `channel`, or else the first channel. Throws a refusal if the device lacks the channel. */
const chooseChannelToTest = (device: Device, channel: PhoneChannel | undefined): DeviceChannel => {
  const line = listDeviceChannels([device]).find((one) => channel === undefined || one.way === channel);
  if (line !== undefined) return line;
  const message = `way must be one of the device's channels: ${listChannels(device).join(", ")}.`;
  throw refuseField("way", "unknown_value", message);
};

/** Sends a stored test message in the way that alerts are sent. Stores the outcome with the device, and returns it. */
export const sendStoredTest = async (
  deps: TestDeps,
  ws: WorkspaceId,
  userId: string,
  channel: DeviceChannel,
  testId: string,
  text: TestText,
): Promise<PushOutcome> => {
  const { device } = channel;
  const receiptKeys = await readReceiptKeys(deps, [device]);
  const message = buildMessage({
    workspaceId: ws,
    eventId: undefined,
    notificationId: testId,
    ...text,
    priority: text.proves === true ? "LOW" : "NORMAL",
    requiresAck: false,
    to: readChannelAddress(channel),
    consoleUrl: deps.baseUrl,
    platform: device.platform,
    nowMs: deps.now(),
    receipt: await createReceipt(deps, receiptKeys, device, { workspaceId: ws, userId, about: testId }),
    // Amazon Connect ignores a second request with the same id.
    ...(text.proves === true ? { once: testId } : {}),
  });
  const answer = await sendWithinBudget(deps, ws, message, () => deps.push.send(message, device));
  // As long as no other device has accepted a push, the service's own credentials may be wrong, not the device.
  const outcome: PushOutcome =
    answer.kind === "foreign" && !answer.proven ? { kind: "auth", code: answer.code } : answer;
  await storeTestOutcome(deps, ws, userId, device, outcome);
  deps.log.info("device.tested", { workspaceId: ws, deviceId: device.id, outcome: outcome.kind });
  return outcome;
};

/** Sends a test; returns the push service's answer. The device confirms with a receipt. Throws `not_found`, `rate_limited`. */
export const testDevice = async (
  deps: TestDeps,
  ws: WorkspaceId,
  userId: string,
  deviceId: DeviceId,
  channel?: PhoneChannel,
): Promise<DeviceTestAnswer> => {
  const testId = deps.newId("tst");
  const at = deps.now();
  // The channel is checked before the test is stored, so that a refused test does not delay the next test.
  const devices = await listDevices(deps, ws, userId);
  const known = devices.find(({ id }) => id === deviceId);
  if (known !== undefined) chooseChannelToTest(known, channel);
  const start = await startDeviceTest(deps, ws, userId, deviceId, { testId, at });
  if (start.kind === "none") throw notFoundRefusal("device");
  if (start.kind === "unverified")
    throw refuseField(
      "deviceId",
      "not_verified",
      "This email address or phone number is not verified. First enter the code that was sent to it.",
    );
  if (start.kind === "soon") throw refuseTooSoon("test", start.afterMs);
  const line = chooseChannelToTest(start.device, channel);
  const language = chooseLanguage(start.device, devices, line.way ?? "push");
  const outcome = await sendStoredTest(deps, ws, userId, line, testId, { ...getTestText(language), language });
  const code = "code" in outcome ? outcome.code : null;
  return { sentAt: toIso(at), outcome: outcome.kind, code };
};
