import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { PushOutcome } from "../../domain/delivery/push/outcome.ts";
import { listDeviceChannels, type Device, type DeviceChannel } from "../../domain/device/device.ts";
import { chooseLanguage, getProbeText } from "../../domain/device/test-text.ts";
import type { ProbeMessage } from "../../queue/messages.ts";
import { listDevices } from "../../store/people/devices.ts";
import { readProbedPerson, setProbeFault, setProbeSent } from "../../store/schedules/probes.ts";
import { sendStoredTest, type TestDeps } from "../admin/test-device.ts";

/** Sends one push that apps and browsers confirm without notifying people. `devices`: the user's devices, for the language. */
export const sendSilentPush = (
  deps: TestDeps,
  { ws, userId, testId }: { ws: WorkspaceId; userId: string; testId: string },
  channel: DeviceChannel,
  devices: readonly Device[],
): Promise<PushOutcome> => {
  const language = chooseLanguage(channel.device, devices, "push");
  return sendStoredTest(deps, ws, userId, channel, testId, { ...getProbeText(language), language, proves: true });
};

/** Returns the push channels of devices, which can confirm a silent push. */
export const listPushChannels = (devices: readonly Device[]): DeviceChannel[] =>
  listDeviceChannels(devices).filter(({ way }) => way === undefined);

export const toFaultCode = (outcome: PushOutcome): string => ("code" in outcome ? outcome.code : outcome.kind);

/** Sends each push device a silent push, which it confirms. Sends nothing if a push of this probe was accepted before. */
export const sendProbePush = async (deps: TestDeps, { ws, userId, id }: ProbeMessage): Promise<undefined> => {
  const [person, devices] = await Promise.all([readProbedPerson(deps, ws, userId), listDevices(deps, ws, userId)]);
  if (person?.id !== id || person.sentAt !== undefined) return undefined;
  const outcomes = await Promise.all(
    listPushChannels(devices).map((channel) => sendSilentPush(deps, { ws, userId, testId: id }, channel, devices)),
  );
  const [first] = outcomes;
  if (outcomes.some(({ kind }) => kind === "accepted")) await setProbeSent(deps, ws, { userId, id });
  else await setProbeFault(deps, ws, { userId, id }, first === undefined ? "no_device" : toFaultCode(first));
  return undefined;
};
