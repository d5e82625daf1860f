import { formatRoundId, isRoundTimely } from "../../domain/heartbeat/switch.ts";
import type { SwitchMessage } from "../../queue/messages.ts";
import { readSwitch, setTestEventFailure } from "../../store/schedules/switches.ts";
import { listDevices } from "../../store/people/devices.ts";
import type { TestDeps } from "../admin/test-device.ts";
import { toFaultCode, listPushChannels, sendSilentPush } from "./send-probe-push.ts";

/** Sends the silent push of a dead man's switch, which the device confirms. If the push fails, the next test event sends another. */
export const sendSwitchPush = async (deps: TestDeps, { ws, round }: SwitchMessage): Promise<undefined> => {
  const stored = await readSwitch(deps, ws);
  if (stored === undefined || !isRoundTimely(stored, round, deps.now())) return undefined;
  const devices = await listDevices(deps, ws, stored.userId);
  const channel = listPushChannels(devices).find(({ device }) => device.id === stored.deviceId);
  // If the device was removed, sends nothing; the console shows the removal to the owners.
  if (channel === undefined) return undefined;
  const push = { ws, userId: stored.userId, testId: formatRoundId(round) };
  const outcome = await sendSilentPush(deps, push, channel, devices);
  if (outcome.kind !== "accepted") await setTestEventFailure(deps, ws, round, toFaultCode(outcome));
  return undefined;
};
