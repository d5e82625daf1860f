import { sha256 } from "../../domain/basics/digest.ts";
import { listDeviceChannels, type DeviceChannel } from "../../domain/device/device.ts";
import { chooseLanguage, formatReachabilityText } from "../../domain/device/test-text.ts";
import { hasConfirmedSince } from "../../domain/shifts/reachability-check.ts";
import type { ReachabilityCheckMessage } from "../../queue/messages.ts";
import { startDeviceTest } from "../../store/people/device-states.ts";
import { listDevices } from "../../store/people/devices.ts";
import { readMember } from "../../store/people/read-members.ts";
import { readGroupName } from "../../store/names.ts";
import { sendStoredTest, type TestDeps } from "../admin/test-device.ts";

/** The number of hexadecimal digits in a test's id. The whole id must fit into the topic of a Web Push message. */
const DIGITS = 26;

/** Returns the test's id, which is the same for all attempts for a shift on a device, so that a phone shows the test once. */
const deriveTestId = async (
  { ws, groupId, userId, start }: ReachabilityCheckMessage,
  { key }: DeviceChannel,
): Promise<string> =>
  `tst_${Buffer.from(await sha256(`${ws} ${groupId} ${userId} ${start} ${key}`))
    .toString("hex")
    .slice(0, DIGITS)}`;

/** Sends a test to each device with the channel `way` of a person who comes on call; none if a device has confirmed the check. */
export const sendReachabilityCheck = async (deps: TestDeps, message: ReachabilityCheckMessage): Promise<undefined> => {
  const { ws, groupId, userId, start, since, way } = message;
  const [devices, member, group] = await Promise.all([
    listDevices(deps, ws, userId),
    readMember(deps, ws, userId),
    readGroupName(deps, ws, groupId),
  ]);
  if (member === undefined || group === undefined || deps.now() > start) return undefined;
  if (hasConfirmedSince(devices, since)) return undefined;
  const lines = listDeviceChannels(devices).filter((line) => (line.way ?? "push") === way);
  await Promise.all(
    lines.map(async (line) => {
      const testId = await deriveTestId(message, line);
      // No test is sent to an unverified address, or right after another test.
      const started = await startDeviceTest(deps, ws, userId, line.device.id, { testId, at: deps.now() });
      if (started.kind !== "started") return;
      const language = chooseLanguage(line.device, devices, way);
      const text = formatReachabilityText(language, { group, start, way });
      await sendStoredTest(deps, ws, userId, line, testId, { ...text, language, proves: true });
    }),
  );
  return undefined;
};
