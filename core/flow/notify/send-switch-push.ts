import { deviceChannelsOf } from "../../domain/device/device.ts";
import { languageOfDevice, probeText } from "../../domain/device/test-text.ts";
import { formatRoundId, isTimely } from "../../domain/heartbeat/switch.ts";
import type { SwitchMessage } from "../../queue/messages.ts";
import { readSwitch, setFailure } from "../../store/schedules/switches.ts";
import { listDevices } from "../../store/people/devices.ts";
import { sendTest, type TestDeps } from "../admin/test-device.ts";

/**
 * Sends the silent push of a round to the switch's device, which confirms it automatically. A failed push is not repeated,
 * because the next round sends another.
 */
export const sendSwitchPush = async (deps: TestDeps, { ws, round }: SwitchMessage): Promise<undefined> => {
  const stored = await readSwitch(deps, ws);
  if (stored === undefined || !isTimely(stored, round, deps.now())) return undefined;
  const devices = await listDevices(deps, ws, stored.userId);
  const channel = deviceChannelsOf(devices).find(
    ({ device, way }) => device.id === stored.deviceId && way === undefined,
  );
  // The switch's view says that the device is removed.
  if (channel === undefined) return undefined;
  const language = languageOfDevice(channel.device, devices, "push");
  const text = { ...probeText(language), language, proves: true as const };
  const outcome = await sendTest(deps, ws, stored.userId, channel, formatRoundId(round), text);
  if (outcome.kind !== "accepted") await setFailure(deps, ws, round, "code" in outcome ? outcome.code : outcome.kind);
  return undefined;
};
